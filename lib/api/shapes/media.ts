import { z } from "zod";
import { importStates } from "../../db";
import { id, nextCursor, sixDigitTime, storageKey, utcInstant } from "./common";

const ImportState = z.enum(importStates).meta({
  id: "ImportState",
  description: "Ends as `READY` or `FAILED_PERMANENT`; `FAILED_TEMPORARY` is tried again by itself, for 24 hours",
});

export const ImportView = z
  .object({
    id,
    state: ImportState,
    sourceUrl: z.string(),
    bytesDownloaded: z.number().int(),
    totalBytes: z.number().int().optional().meta({ description: "Where the server says it" }),
    detectedMime: z.string().optional().meta({ description: "Detected from the bytes" }),
    s3Key: storageKey.optional().meta({ description: "For `attachmentPaths`, once the state is `READY`" }),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: "ImportJob", description: "A file that is being fetched from a public URL" });

export const ImportStarted = z.object({ id, state: ImportState }).meta({ id: "ImportStarted" });

export const PendingImportView = z
  .object({
    postId: id,
    attachmentIndex: z.number().int().meta({ description: "Position in `attachmentPaths`" }),
    importTaskId: id.meta({ description: "Poll it with `GET /v1/media/upload/import/{id}`" }),
    sourceUrl: z.string(),
    state: ImportState,
  })
  .meta({ id: "PendingImport" });

/** What a grant is asked for. */
export const NewUpload = z
  .strictObject({
    filename: z.string().min(1).max(255).meta({ description: "Its extension becomes the key's" }),
    contentType: z
      .string()
      .max(127)
      .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/i, "must be a MIME type such as image/jpeg")
      .meta({ description: "A MIME type; the PUT has to name the same" }),
    sizeBytes: z.number().int().min(1).meta({ description: "The PUT has to have exactly as many bytes" }),
  })
  .meta({ id: "NewUpload" });

export const UploadGrantView = z
  .object({
    key: storageKey,
    method: z.literal("PUT"),
    url: z.url().meta({ description: "Where to put the bytes, signed for this file alone" }),
    headers: z.record(z.string(), z.string()).meta({ description: "To be sent with the PUT, unchanged" }),
    expiresAt: utcInstant.meta({ description: "When the address stops working, UTC" }),
  })
  .meta({ id: "UploadGrant", description: "Leave to put one file straight into the store" });

const confirmed = {
  key: z.string().meta({ description: "The object's name: the part of `path` after the owner" }),
  path: storageKey.meta({ description: "The storage key, for `attachmentPaths`" }),
  filename: z.string(),
  contentType: z.string().meta({ description: "Detected from the bytes, whatever the name says" }),
  sizeBytes: z.number().int(),
  url: z.url().meta({ description: "A signed address of the bytes, good for six hours" }),
};

export const ConfirmedUpload = z.object(confirmed).meta({ id: "ConfirmedUpload" });

export const MediaView = z
  .object({
    ...confirmed,
    width: z.number().int().optional().meta({ description: "Pixels, as shown" }),
    height: z.number().int().optional().meta({ description: "Pixels, as shown" }),
    durationSeconds: z
      .number()
      .int()
      .optional()
      .meta({ description: "Of a video, and of one round of an animation, rounded up" }),
    orientation: z.number().int().optional().meta({ description: "EXIF, 1 to 8" }),
    frames: z.number().int().optional().meta({ description: "Of an animation" }),
    frameRate: z.number().optional().meta({ description: "Frames a second" }),
    videoCodec: z.string().optional(),
    audioCodec: z.string().optional(),
    hasAudio: z.boolean().optional(),
    placeholder: z.string().optional().meta({ description: "A few pixels as a `data:` URL, until the file is loaded" }),
    altText: z.string().optional().meta({ description: "What it shows, in words, for people who cannot see it" }),
    digest: z.string().meta({ description: "Of the bytes: `blake2b:` and BLAKE2b-512 in hexadecimal" }),
    thumbnailUrl: z.url().optional().meta({ description: "A signed address of a small picture" }),
    createdTime: sixDigitTime,
  })
  .meta({ id: "Media", description: "A stored picture or video; what is not known of it is absent" });

export const MediaChange = z
  .strictObject({
    altText: z.string().max(4086).nullable().meta({
      description:
        "What the file shows, in words, for people who cannot see it; `null` takes them away. Each network's own limit is checked with the posts that use the file",
    }),
  })
  .meta({ id: "MediaChange" });

export const MediaList = z.object({ items: z.array(MediaView), nextCursor }).meta({ id: "MediaList" });
