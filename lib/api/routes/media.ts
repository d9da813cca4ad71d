import { z } from "zod";
import { deleteMedia, listMedia, presentMedia, uploadMedia } from "../../media";
import { cursorParam, limitParam, pageOf, TimedPlace } from "../page";
import { route } from "../route";
import { media, OBJECT, STORAGE_KEY } from "./examples";
import { MediaList, storageKey } from "./shapes";

export const uploadMediaRoute = route({
  method: "post",
  path: "/v1/media/upload",
  summary: "Uploads a file",
  description:
    "`multipart/form-data` with one part named `file`, at most 100 MB: JPEG, PNG, WebP, GIF, AVIF, TIFF, MP4, MOV, WebM or MKV. The bytes are looked at, whatever the name says. `path` is what a post names in `attachmentPaths`.",
  multipart: z.object({ file: z.file().meta({ description: "The file, with its name" }) }),
  scope: "media.write",
  // The bytes are hashed while they stream in: the same key with another file is told so, as with another body.
  idempotency: "handler",
  answers: { 200: z.object({ path: storageKey }) },
  refusals: [
    {
      status: 400,
      when: "The file is missing, damaged, or neither a picture nor a video",
      error: "file is neither an image nor a video that can be published: the type found is application/pdf",
    },
    { status: 413, when: "The file is larger than 100 MB", error: "file is too large: the maximum is 100 MB" },
  ],
  examples: [{ body: { file: "bells.jpg" }, answer: { path: STORAGE_KEY } }],
  async handle({ caller, request, once }) {
    return uploadMedia(caller.ownerId, request, (file, store) => once(file, async () => Response.json(await store())));
  },
});

export const listMediaRoute = route({
  method: "get",
  path: "/v1/media",
  summary: "The user's media, newest first",
  scope: "media.write",
  query: z.object({ limit: limitParam, cursor: cursorParam(TimedPlace) }),
  answers: { 200: MediaList },
  examples: [{ query: { limit: "20" }, answer: { items: [media], nextCursor: null } }],
  async handle({ caller, query: { limit, cursor } }) {
    return Response.json(pageOf(await listMedia(caller.ownerId, { limit, after: cursor }), presentMedia));
  },
});

export const deleteMediaRoute = route({
  method: "delete",
  path: "/v1/media/{key}",
  summary: "Removes a file",
  scope: "media.write",
  params: z.object({ key: z.string().meta({ description: "The object's name, `key` of the list" }) }),
  answers: { 204: "Removed" },
  refusals: [
    {
      status: 409,
      when: "A schedule that is not finished uses the file",
      error: `Media ${OBJECT} is used by posting schedule 1007, which is not finished`,
    },
  ],
  examples: [{ params: { key: OBJECT } }],
  async handle({ caller, params }) {
    await deleteMedia(caller.ownerId, params.key);
    return new Response(null, { status: 204 });
  },
});
