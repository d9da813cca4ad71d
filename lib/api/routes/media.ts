import { z } from "zod";
import {
  confirmUpload,
  deleteMedia,
  getMedia,
  grantUpload,
  listMedia,
  presentConfirmed,
  presentMedia,
  updateMedia,
  uploadMedia,
} from "../../media";
import { cursorParam, limitParam, presentPage, TimeCursor } from "../page";
import { route } from "../route";
import { ConfirmedUpload, MediaChange, MediaList, MediaView, NewUpload, storageKey, UploadGrantView } from "../shapes";
import {
  confirmedUploadExample,
  EXAMPLE_KEY,
  EXAMPLE_OBJECT,
  mediaExample,
  newUploadExample,
  uploadGrantExample,
} from "./examples";

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
  examples: [{ body: { file: "bells.jpg" }, answer: { path: EXAMPLE_KEY } }],
  async handle({ caller, request, idempotently: once }) {
    return uploadMedia(caller.ownerId, request, (file, store) => once(file, async () => Response.json(await store())));
  },
});

export const grantUploadRoute = route({
  method: "post",
  path: "/v1/media/upload/urls",
  summary: "Grants an upload straight to the store",
  description:
    "Send the bytes with the method, address and headers of the answer, before `expiresAt`; then confirm. The address takes this file alone: its type, its size, its name. At most 100 MB.",
  scope: "media.write",
  body: NewUpload,
  answers: { 200: UploadGrantView },
  refusals: [
    { status: 413, when: "`sizeBytes` is more than 100 MB", error: "file is too large: the maximum is 100 MB" },
  ],
  examples: [{ body: newUploadExample, answer: uploadGrantExample }],
  async handle({ caller, body }) {
    return Response.json(await grantUpload(caller.ownerId, body));
  },
});

export const confirmUploadRoute = route({
  method: "post",
  path: "/v1/media/upload/confirm",
  summary: "Confirms an upload",
  description:
    "Looks at the bytes that were put by a grant. The answer is the same each time, and the bytes never change afterwards. A file that is refused is removed, and its key stays unusable. A key that was never confirmed is checked in the same way when it is first used.",
  scope: "media.write",
  body: z.strictObject({ key: z.string().max(255).meta({ description: "The key that the grant issued" }) }),
  idempotency: "none", // it is by itself
  answers: { 200: ConfirmedUpload },
  refusals: [
    {
      status: 400,
      when: "The file is damaged, or neither a picture nor a video",
      error: "file is neither an image nor a video that can be published: the type found is application/pdf",
    },
    {
      status: 404,
      when: "Nothing was put there yet, or the key is not this user's",
      error: `Media not found: ${EXAMPLE_KEY}`,
    },
  ],
  examples: [{ body: { key: EXAMPLE_KEY }, answer: confirmedUploadExample }],
  async handle({ caller, body }) {
    return Response.json(presentConfirmed(await confirmUpload(caller.ownerId, body.key)));
  },
});

export const listMediaRoute = route({
  method: "get",
  path: "/v1/media",
  summary: "The user's media, newest first",
  scope: "media.write",
  query: z.object({ limit: limitParam, cursor: cursorParam(TimeCursor) }),
  answers: { 200: MediaList },
  examples: [{ query: { limit: "20" }, answer: { items: [mediaExample], nextCursor: null } }],
  async handle({ caller, query: { limit, cursor } }) {
    return Response.json(presentPage(await listMedia(caller.ownerId, { limit, after: cursor }), presentMedia));
  },
});

const name = z.object({ key: z.string().meta({ description: "The object's name, `key` of the list" }) });

export const getMediaRoute = route({
  method: "get",
  path: "/v1/media/{key}",
  summary: "One file",
  scope: "media.write",
  params: name,
  answers: { 200: MediaView },
  examples: [{ params: { key: EXAMPLE_OBJECT }, answer: mediaExample }],
  async handle({ caller, params }) {
    return Response.json(presentMedia(await getMedia(caller.ownerId, params.key)));
  },
});

export const updateMediaRoute = route({
  method: "patch",
  path: "/v1/media/{key}",
  summary: "Describes a file",
  description:
    "Sets the alt text: what the file shows, in words, for people who cannot see it. It goes out with every post that uses the file and whose publishing has not begun, wherever the network takes such a text.",
  scope: "media.write",
  params: name,
  body: MediaChange,
  answers: { 200: MediaView },
  refusals: [
    {
      status: 400,
      when: "`altText` is missing or too long",
      error: "altText must have at most 4086 characters",
    },
  ],
  examples: [{ params: { key: EXAMPLE_OBJECT }, body: { altText: mediaExample.altText }, answer: mediaExample }],
  async handle({ caller, params, body }) {
    return Response.json(presentMedia(await updateMedia(caller.ownerId, params.key, body.altText)));
  },
});

export const deleteMediaRoute = route({
  method: "delete",
  path: "/v1/media/{key}",
  summary: "Removes a file",
  scope: "media.write",
  params: name,
  answers: { 204: "Removed" },
  refusals: [
    {
      status: 409,
      when: "A schedule that is not finished uses the file",
      error: `Media ${EXAMPLE_OBJECT} is used by posting schedule 1007, which is not finished`,
    },
  ],
  examples: [{ params: { key: EXAMPLE_OBJECT } }],
  async handle({ caller, params }) {
    await deleteMedia(caller.ownerId, params.key);
    return new Response(null, { status: 204 });
  },
});
