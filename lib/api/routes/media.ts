import { z } from "zod";
import {
  confirmUpload,
  deleteMedia,
  grantUpload,
  listMedia,
  presentConfirmed,
  presentMedia,
  uploadMedia,
} from "../../media";
import { cursorParam, limitParam, pageOf, TimedPlace } from "../page";
import { route } from "../route";
import { ConfirmedUpload, MediaList, NewUpload, UploadGrant } from "./shapes";

export const uploadMediaRoute = route({
  method: "post",
  path: "/v1/media/upload",
  summary: "Uploads a file: multipart/form-data with one part named file, at most 100 MB",
  scope: "media.write",
  // The bytes are hashed while they stream in: the same key with another file is told so, as with another body.
  idempotency: "handler",
  answers: { 200: z.object({ path: z.string() }) },
  async handle({ caller, request, once }) {
    return uploadMedia(caller.ownerId, request, (file, store) => once(file, async () => Response.json(await store())));
  },
});

export const grantUploadRoute = route({
  method: "post",
  path: "/v1/media/upload/urls",
  summary: "Grants one PUT of a file straight to the store, within ten minutes and on exactly these terms",
  scope: "media.write",
  body: NewUpload,
  answers: { 200: UploadGrant },
  async handle({ caller, body }) {
    return Response.json(await grantUpload(caller.ownerId, body));
  },
});

export const confirmUploadRoute = route({
  method: "post",
  path: "/v1/media/upload/confirm",
  summary: "Checks a file that was put by a grant; the same answer each time, and the file never changes afterwards",
  scope: "media.write",
  body: z.object({ key: z.string().max(255) }),
  idempotency: "none", // it is by itself
  answers: { 200: ConfirmedUpload },
  async handle({ caller, body }) {
    return Response.json(presentConfirmed(await confirmUpload(caller.ownerId, body.key)));
  },
});

export const listMediaRoute = route({
  method: "get",
  path: "/v1/media",
  summary: "The user's media, newest first",
  scope: "media.write",
  query: z.object({ limit: limitParam, cursor: cursorParam(TimedPlace) }),
  answers: { 200: MediaList },
  async handle({ caller, query: { limit, cursor } }) {
    return Response.json(pageOf(await listMedia(caller.ownerId, { limit, after: cursor }), presentMedia));
  },
});

export const deleteMediaRoute = route({
  method: "delete",
  path: "/v1/media/{key}",
  summary: "Removes a file that no unfinished schedule uses; key is the object's name",
  scope: "media.write",
  params: z.object({ key: z.string() }),
  answers: { 204: "Removed" },
  async handle({ caller, params }) {
    await deleteMedia(caller.ownerId, params.key);
    return new Response(null, { status: 204 });
  },
});
