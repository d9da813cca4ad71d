import { z } from "zod";
import { importStates } from "../../db";
import { id, storageKey } from "./common";

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
