import { z } from "zod";
import { importStates } from "../../db";
import { NotFound } from "../../errors";
import { platformValues } from "../../platforms";

/** The JSON shapes of answers, as SPEC's tables give them. */
export const AccountView = z.object({
  id: z.number().int(),
  platform: z.enum(platformValues),
  accountId: z.string(),
  accountUsername: z.string(),
  accountDisplayName: z.string(),
  accountAvatarUrl: z.string().optional(),
  createdTime: z.string(),
  updatedTime: z.string(),
  state: z.enum(["ACTIVE", "RECONNECT_REQUIRED"]),
});

export const ChatView = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  platform: z.enum(platformValues),
});

export const ImportView = z.object({
  id: z.number().int(),
  state: z.enum(importStates),
  sourceUrl: z.string(),
  bytesDownloaded: z.number().int(),
  totalBytes: z.number().int().optional(),
  detectedMime: z.string().optional(),
  s3Key: z.string().optional(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
});

export const ImportStarted = ImportView.pick({ id: true, state: true });

const PublicationStatus = z.enum(["PENDING", "IN_PROGRESS", "PUBLISHED", "FAILED", "UNKNOWN"]);

export const ScheduleStatus = z.enum([
  "DRAFT",
  "AWAITING_MEDIA",
  "SCHEDULED",
  "MEDIA_IMPORT_FAILED",
  "IN_PROGRESS",
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
]);

const PostView = z.object({
  id: z.number().int(),
  content: z.string(),
  attachmentPaths: z.array(z.string()),
  chatId: z.string().optional(),
  thumbnail: z.string().optional(),
  status: PublicationStatus,
  networkPostId: z.string().optional(),
  permalink: z.string().optional(),
  publishedTime: z.string().optional(),
  error: z.string().optional(),
});

export const ScheduleView = z.object({
  id: z.number().int(),
  overallStatus: ScheduleStatus,
  scheduledTime: z.string().optional(),
  publications: z.array(
    z.object({
      id: z.number().int(),
      socialMediaAccountId: z.number().int(),
      platformSettings: z.looseObject({ type: z.string() }),
      status: PublicationStatus,
      posts: z.array(PostView),
    }),
  ),
  pendingImports: z
    .array(
      z.object({
        postId: z.number().int(),
        attachmentIndex: z.number().int(),
        importTaskId: z.number().int(),
        sourceUrl: z.string(),
        state: z.enum(importStates),
      }),
    )
    .optional(),
});

export const ScheduleList = z.object({ items: z.array(ScheduleView), nextCursor: z.string().nullable() });

/** What a grant is asked for. */
export const NewUpload = z.object({
  filename: z.string().min(1).max(255),
  contentType: z
    .string()
    .max(127)
    .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/i, "must be a MIME type such as image/jpeg"),
  sizeBytes: z.number().int().min(1),
});

export const UploadGrant = z.object({
  key: z.string(),
  method: z.literal("PUT"),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.string(),
});

export const ConfirmedUpload = z.object({
  key: z.string(),
  path: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  url: z.string(),
});

/** A medium with what its bytes say; absent is not known, or not about this kind of file. */
export const MediaView = ConfirmedUpload.extend({
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  durationSeconds: z.number().int().optional(),
  orientation: z.number().int().optional(),
  frames: z.number().int().optional(),
  frameRate: z.number().optional(),
  videoCodec: z.string().optional(),
  audioCodec: z.string().optional(),
  hasAudio: z.boolean().optional(),
  placeholder: z.string().optional(),
  sha256: z.string(),
  thumbnailUrl: z.string().optional(),
  createdTime: z.string(),
});

export const MediaList = z.object({ items: z.array(MediaView), nextCursor: z.string().nullable() });

const bounds = z.object({ min: z.number().optional(), max: z.number().optional() });

/** What validating answers: every problem, with its numbers where there are any. */
export const Verdict = z.object({
  valid: z.boolean(),
  problems: z.array(
    z.object({
      path: z.string(),
      message: z.string(),
      rule: z.string(),
      measured: z.union([z.number(), z.string()]).optional(),
      limit: z.union([z.number(), z.string(), z.array(z.string()), bounds]).optional(),
      fix: z.string().optional(),
    }),
  ),
});

export const ConnectUserView = z.object({ uuid: z.string(), name: z.string(), email: z.string().optional() });

export const ConnectUserList = z.object({ items: z.array(ConnectUserView), nextCursor: z.string().nullable() });

/** A numeric id in a path. What cannot be one is as absent as one that never was. */
export function idOf(what: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new NotFound(what, text);
  return Number(text);
}

export const IdParam = z.object({ id: z.string() });
