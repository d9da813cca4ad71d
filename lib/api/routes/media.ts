import { z } from "zod";
import { BadRequest, InsufficientStorage } from "../../errors";
import {
  confirmUpload,
  countMedia,
  deleteMedia,
  getMedia,
  grantUpload,
  listMedia,
  listMediaLabels,
  type MediaSort,
  mediaKinds,
  mediaSorts,
  presentConfirmed,
  presentMedia,
  uploadMedia,
} from "../../media";
import { updateFile } from "../../schedules";
import { isDatabaseInstant } from "../../time/instant";
import { assertNotLockedOut } from "../caller";
import { cursorParam, limitParam, presentPage } from "../page";
import { route } from "../route";
import {
  ConfirmedUpload,
  MediaChange,
  MediaCountsView,
  MediaLabelView,
  MediaList,
  MediaView,
  NewUpload,
  storageKey,
  UploadGrantView,
} from "../shapes";
import {
  confirmedUploadExample,
  EXAMPLE_KEY,
  EXAMPLE_OBJECT,
  mediaExample,
  newUploadExample,
  uploadGrantExample,
} from "./examples";

/** A query parameter that is `true` or `false`. */
const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();

const NO_SPACE = {
  status: 507,
  when: "The disk of the service is nearly full; try again later",
  error: new InsufficientStorage().message,
};

export const uploadMediaRoute = route({
  method: "post",
  path: "/v1/media/upload",
  summary: "Upload a file",
  description:
    "`multipart/form-data` with one part named `file`, at most 100 MB: JPEG, PNG, WebP, GIF, AVIF, TIFF, MP4, MOV, WebM, MKV or PDF. The type is detected from the bytes, not from the name. Use `path` in `attachmentPaths`.",
  multipart: z.object({ file: z.file().meta({ description: "The file, with its name" }) }),
  scope: "media.write",
  // The bytes are hashed while they stream in: the same key with another file is rejected like the same key with another body.
  idempotency: "handler",
  answers: { 200: z.object({ path: storageKey }) },
  errorResponses: [
    {
      status: 400,
      when: "The file is missing, damaged, or not a picture, video or PDF that can be published",
      error: "file is neither an image, a video nor a PDF that can be published: the type found is application/zip",
    },
    { status: 413, when: "The file is larger than 100 MB", error: "file is too large: the maximum is 100 MB" },
    NO_SPACE,
  ],
  examples: [{ body: { file: "bells.jpg" }, answer: { path: EXAMPLE_KEY } }],
  async handle({ caller, request, idempotently }) {
    return uploadMedia(caller.ownerId, request, async (file, store) => {
      await assertNotLockedOut(request.headers);
      return idempotently(file, async () => Response.json(await store()));
    });
  },
});

export const grantUploadRoute = route({
  method: "post",
  path: "/v1/media/upload/urls",
  summary: "Create a pre-signed upload",
  description:
    "Send the bytes with the returned method, URL and headers before `expiresAt`, then confirm the upload. The URL accepts only this file: its type, size and name. At most 100 MB.",
  scope: "media.write",
  body: NewUpload,
  answers: { 200: UploadGrantView },
  errorResponses: [
    { status: 413, when: "`sizeBytes` is more than 100 MB", error: "file is too large: the maximum is 100 MB" },
    NO_SPACE,
  ],
  examples: [{ body: newUploadExample, answer: uploadGrantExample }],
  async handle({ caller, body }) {
    return Response.json(await grantUpload(caller.ownerId, body));
  },
});

export const confirmUploadRoute = route({
  method: "post",
  path: "/v1/media/upload/confirm",
  summary: "Confirm a pre-signed upload",
  description:
    "Inspects the uploaded bytes. The answer is the same for every call, and the bytes never change afterwards. A rejected file is deleted, and its key cannot be used again. An upload that was not confirmed is inspected when it is first used.",
  scope: "media.write",
  body: z.strictObject({ key: z.string().max(255).meta({ description: "The key of the grant" }) }),
  idempotency: "none", // it is by itself
  answers: { 200: ConfirmedUpload },
  errorResponses: [
    {
      status: 400,
      when: "The file is damaged, or not a picture, video or PDF that can be published",
      error: "file is neither an image, a video nor a PDF that can be published: the type found is application/zip",
    },
    {
      status: 404,
      when: "Nothing was uploaded yet, or the key belongs to another user",
      error: `Media not found: ${EXAMPLE_KEY}`,
    },
    NO_SPACE,
  ],
  examples: [{ body: { key: EXAMPLE_KEY }, answer: confirmedUploadExample }],
  async handle({ caller, body }) {
    return Response.json(presentConfirmed(await confirmUpload(caller.ownerId, body.key)));
  },
});

export const listMediaRoute = route({
  method: "get",
  path: "/v1/media",
  summary: "List the user's files",
  description: "Newest first, unless `sort` says otherwise. A `cursor` works only with the `sort` that it came from.",
  scope: "media.write",
  query: z.object({
    limit: limitParam,
    cursor: cursorParam(
      z.tuple([
        z
          .string()
          .max(600) // a name in lower case can be twice as long as the name
          .regex(/^\P{Cc}*$/u),
        z.uuid(),
      ]),
    ),
    sort: z.enum(mediaSorts).optional().meta({ description: "`-createdTime` if omitted" }),
    text: z.string().trim().min(1).max(200).optional().meta({
      description: "Only files whose name or alt text contains every one of these words, ignoring case and accents",
    }),
    kind: z.enum(mediaKinds).optional(),
    label: z.string().min(1).max(60).optional().meta({ description: "Only files with this label" }),
    used: flag.meta({ description: "`false`: only files that no post uses, not even one that has ended" }),
    altText: flag.meta({ description: "`false`: only files without an alt text" }),
    keys: z
      .string()
      .min(1)
      .max(8000)
      .transform((keys) => keys.split(","))
      .pipe(z.array(z.string()).max(100))
      .optional()
      .meta({
        description:
          "Only these files: up to 100 objects' names (`key`), separated by commas. Unknown names are left out",
        type: "string",
        items: undefined,
        maxItems: undefined,
      }),
  }),
  answers: { 200: MediaList },
  examples: [{ query: { limit: "20" }, answer: { items: [mediaExample], nextCursor: null } }],
  async handle({ caller, query: { cursor: after, keys: names, used: isUsed, altText: hasAltText, ...rest } }) {
    if (after && !isPlaceIn(rest.sort, after[0])) throw new BadRequest("cursor is from a list with another sort");
    const page = await listMedia(caller.ownerId, { ...rest, after, names, isUsed, hasAltText });
    return Response.json(presentPage(page, presentMedia));
  },
});

/** Whether a cursor's value can be of a list with this sort. */
function isPlaceIn(sort: MediaSort | undefined, value: string): boolean {
  if (sort === "filename") return true;
  return sort === "-sizeBytes" ? /^\d{1,12}$/.test(value) : isDatabaseInstant(value);
}

export const listMediaLabelsRoute = route({
  method: "get",
  path: "/v1/media-labels",
  summary: "List the labels of the user's files",
  description:
    "In alphabetical order. A label exists as long as a file has it; `PATCH /v1/media/{key}` sets a file's labels.",
  scope: "media.write",
  answers: { 200: z.array(MediaLabelView) },
  examples: [{ answer: [{ label: "Spring 2027", files: 64 }] }],
  async handle({ caller }) {
    return Response.json(await listMediaLabels(caller.ownerId));
  },
});

// Its name sorts before `getMediaRoute`, which would take `counts` for a key.
export const countMediaRoute = route({
  method: "get",
  path: "/v1/media/counts",
  summary: "Count the user's files",
  description: "All files, and those that the filters of the list leave.",
  scope: "media.write",
  answers: { 200: MediaCountsView },
  examples: [
    {
      answer: { all: 1204, kinds: { IMAGE: 1117, VIDEO: 84, DOCUMENT: 3 }, unused: 310, withoutAltText: 45 },
    },
  ],
  async handle({ caller }) {
    return Response.json(await countMedia(caller.ownerId));
  },
});

const name = z.object({ key: z.string().meta({ description: "The object's name: `key` in the list" }) });

export const getMediaRoute = route({
  method: "get",
  path: "/v1/media/{key}",
  summary: "Get a file",
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
  summary: "Set a file's alt text, name or labels",
  description:
    "Only the given fields change. The alt text is sent with every post that uses the file and has not started, if the network supports alt texts. If an application changes the alt text or the name, approved proposals with this file become drafts again.",
  scope: "media.write",
  params: name,
  body: MediaChange,
  answers: { 200: MediaView },
  errorResponses: [
    {
      status: 400,
      when: "No field is given, or one is invalid",
      error: "altText must have at most 4086 characters",
    },
    {
      status: 409,
      when: "An application changes what a person approved in a post that is being published or can be tried again",
      error: `Media ${EXAMPLE_OBJECT} is part of post 1007, which a person approved. Only a person can change its alt text and name`,
    },
  ],
  examples: [{ params: { key: EXAMPLE_OBJECT }, body: { altText: mediaExample.altText }, answer: mediaExample }],
  async handle({ caller, params, body }) {
    return Response.json(
      presentMedia(await updateFile(caller.ownerId, params.key, body, { isPerson: Boolean(caller.session) })),
    );
  },
});

export const deleteMediaRoute = route({
  method: "delete",
  path: "/v1/media/{key}",
  summary: "Delete a file",
  scope: "media.write",
  params: name,
  answers: { 204: "Removed" },
  errorResponses: [
    {
      status: 409,
      when: "A post that has not ended uses the file",
      error: `Media ${EXAMPLE_OBJECT} is used by post 1007, which is not finished`,
    },
  ],
  examples: [{ params: { key: EXAMPLE_OBJECT } }],
  async handle({ caller, params }) {
    await deleteMedia(caller.ownerId, params.key);
    return new Response(null, { status: 204 });
  },
});
