import { z } from "zod";
import { uploadMedia } from "../../media";
import { route } from "../route";

export const uploadMediaRoute = route({
  method: "post",
  path: "/v1/media/upload",
  summary: "Uploads a file: multipart/form-data with one part named file, at most 100 MB",
  scope: "media.write",
  answers: { 200: z.object({ path: z.string() }) },
  async handle({ caller, request }) {
    return Response.json(await uploadMedia(caller.ownerId, request));
  },
});
