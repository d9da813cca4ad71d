import { z } from "zod";
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
});

const Attempt = z.object({
  postId: z.number().int(),
  outcome: z.enum(["PUBLISHED", "WAITING", "RETRYING", "LOOKING", "FAILED", "UNKNOWN"]),
  message: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  times: z.number().int(),
  answer: z
    .object({ status: z.number().int(), code: z.string().optional(), message: z.string().optional() })
    .optional(),
  nextAttemptTime: z.string().optional(),
});

/** What was tried for each publication, and whether it will be tried again. */
export const ReceiptView = z.object({
  id: z.number().int(),
  overallStatus: ScheduleStatus,
  scheduledTime: z.string().optional(),
  publishingPaused: z.boolean().optional(),
  publications: z.array(
    z.object({
      id: z.number().int(),
      socialMediaAccountId: z.number().int(),
      platform: z.enum(platformValues),
      status: PublicationStatus,
      attempts: z.number().int(),
      nextAttemptTime: z.string().optional(),
      story: z.array(Attempt),
      posts: z.array(PostView),
    }),
  ),
});

const RequestView = z.object({
  step: z.string(),
  makesPublic: z.boolean(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});

/** The requests that publishing would send. */
export const PreviewView = z.object({
  id: z.number().int(),
  publications: z.array(
    z.object({
      id: z.number().int(),
      socialMediaAccountId: z.number().int(),
      posts: z.array(
        z.object({ id: z.number().int(), problem: z.string().optional(), requests: z.array(RequestView) }),
      ),
    }),
  ),
});

export const ScheduleList = z.object({ items: z.array(ScheduleView), nextCursor: z.string().nullable() });

export const MediaView = z.object({
  key: z.string(),
  path: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  url: z.string(),
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
