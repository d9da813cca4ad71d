import { z } from "zod";
import { importStates } from "../../db";
import { id, nextCursor, sixDigitTime, storageKey, utcInstant } from "./common";

const ImportState = z.enum(importStates).meta({
  id: "ImportState",
  description:
    "An import ends as `READY` or `FAILED_PERMANENT`. `FAILED_TEMPORARY` is retried automatically for 24 hours",
});

export const ImportView = z
  .object({
    id,
    state: ImportState,
    sourceUrl: z.string(),
    bytesDownloaded: z.number().int(),
    totalBytes: z.number().int().optional().meta({ description: "If the server announced it" }),
    detectedMime: z.string().optional().meta({ description: "Detected from the bytes" }),
    s3Key: storageKey.optional().meta({ description: "Use it in `attachmentPaths` once the state is `READY`" }),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: "ImportJob", description: "The import of a file from a public URL" });

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

/** The request for a grant. */
export const NewUpload = z
  .strictObject({
    filename: z.string().min(1).max(255).meta({ description: "The key gets its extension" }),
    contentType: z
      .string()
      .max(127)
      .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/i, "must be a MIME type such as image/jpeg")
      .meta({ description: "A MIME type. The PUT must send the same one" }),
    sizeBytes: z
      .number()
      .overwrite((size) => Math.min(size, Number.MAX_SAFE_INTEGER)) // a larger number is not a safe integer (400), but the answer must be 413
      .int()
      .min(1)
      .meta({ description: "The PUT must send exactly this many bytes" }),
  })
  .meta({ id: "NewUpload" });

export const UploadGrantView = z
  .object({
    key: storageKey,
    method: z.literal("PUT"),
    url: z.url().meta({ description: "Where to send the bytes, signed for this file only" }),
    headers: z.record(z.string(), z.string()).meta({ description: "Send them unchanged with the PUT" }),
    expiresAt: utcInstant.meta({ description: "When the URL expires, in UTC" }),
  })
  .meta({ id: "UploadGrant", description: "Permission to upload one file directly to the store" });

const confirmed = {
  key: z.string().meta({ description: "The object's name: the part of `path` after the owner" }),
  path: storageKey.meta({ description: "The storage key. Use it in `attachmentPaths`" }),
  filename: z.string(),
  contentType: z.string().meta({ description: "Detected from the bytes, not from the name" }),
  sizeBytes: z.number().int(),
  url: z.url().meta({ description: "A signed URL of the file, valid for at least six hours" }),
};

export const ConfirmedUpload = z.object(confirmed).meta({ id: "ConfirmedUpload" });

export const MediaView = z
  .object({
    ...confirmed,
    width: z.number().int().optional().meta({ description: "In pixels, as displayed" }),
    height: z.number().int().optional().meta({ description: "In pixels, as displayed" }),
    durationSeconds: z
      .number()
      .int()
      .optional()
      .meta({ description: "The duration of a video, or of one round of an animation, rounded up" }),
    orientation: z.number().int().optional().meta({ description: "EXIF, 1 to 8" }),
    frames: z.number().int().optional().meta({ description: "The number of frames of an animation" }),
    pages: z.number().int().optional().meta({ description: "The number of pages of a PDF" }),
    frameRate: z.number().optional().meta({ description: "Frames per second" }),
    isVariableRate: z.boolean().optional().meta({ description: "The frames are shown for different durations" }),
    videoCodec: z.string().optional(),
    chroma: z.string().optional().meta({ description: "Chroma subsampling, such as `4:2:0`" }),
    bitDepth: z.number().int().optional().meta({ description: "Bits of each colour value" }),
    pixelAspect: z
      .number()
      .optional()
      .meta({ description: "The width of one pixel divided by its height, if the pixels are not square" }),
    isInterlaced: z.boolean().optional().meta({ description: "The codec allows fields instead of whole frames" }),
    videoBitRate: z.number().int().optional().meta({ description: "The video track's average, in bits per second" }),
    audioCodec: z.string().optional(),
    hasAudio: z.boolean().optional(),
    audioChannels: z.number().int().optional(),
    audioSampleRate: z.number().int().optional().meta({ description: "In hertz" }),
    index: z
      .enum(["front", "end", "fragments"])
      .optional()
      .meta({ description: "Where an MP4 or MOV has its index (`moov`); `fragments`: in parts between the data" }),
    editList: z
      .enum(["start", "cut"])
      .optional()
      .meta({ description: "`start`: the edit lists only align the tracks; `cut`: they hide or move a part" }),
    placeholder: z
      .string()
      .optional()
      .meta({ description: "A tiny version as a `data:` URL, to show while the file loads" }),
    altText: z
      .string()
      .optional()
      .meta({ description: "The alt text: a description for people who cannot see the file" }),
    labels: z.array(z.string()).meta({ description: "The user's own labels, sorted" }),
    digest: z.string().meta({ description: "`blake2b:` and the BLAKE2b-512 digest of the bytes in hexadecimal" }),
    thumbnailUrl: z.url().optional().meta({ description: "A signed URL of a small picture" }),
    createdTime: sixDigitTime,
  })
  .meta({ id: "Media", description: "A stored picture, video or PDF file. Unknown facts are absent" });

export const MediaChange = z
  .strictObject({
    altText: z.string().max(4086).nullable().optional().meta({
      description:
        "A description for people who cannot see the file; `null` removes it. Each network's own limit is checked with the posts that use the file",
    }),
    filename: z.string().trim().min(1).max(255).optional().meta({ description: "The name in the library" }),
    labels: z
      .array(z.string().trim().min(1).max(60))
      .max(20)
      .optional()
      .meta({ description: "They replace all labels of the file" }),
  })
  .refine((change) => Object.keys(change).length > 0, "must have at least one of altText, filename, labels")
  .meta({ id: "MediaChange", minProperties: 1 });

export const MediaLabelView = z
  .object({ label: z.string(), files: z.number().int().meta({ description: "The number of files with this label" }) })
  .meta({ id: "MediaLabel" });

const files = z.number().int().min(0);

export const MediaCountsView = z
  .object({
    all: files,
    kinds: z.object({ IMAGE: files, VIDEO: files, DOCUMENT: files }),
    unused: files.meta({ description: "As `used=false` of the list" }),
    withoutAltText: files.meta({ description: "As `altText=false` of the list" }),
  })
  .meta({ id: "MediaCounts" });

export const MediaList = z.object({ items: z.array(MediaView), nextCursor }).meta({ id: "MediaList" });
