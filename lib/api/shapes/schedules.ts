import { z } from "zod";
import { id, nextCursor, storageKey, utcInstant } from "./common";
import { PendingImportView } from "./media";

/** Fields of an answer that also tells whether anything is published at present. */
export const pauseFields = {
  publishingPaused: z.boolean().optional().meta({ description: "`true` while the service publishes nothing at all" }),
  publishingPausedReason: z
    .string()
    .optional()
    .meta({ description: "Why, where whoever runs the service said so", example: "Network incident" }),
};

export const PublicationStatusView = z.enum(["PENDING", "IN_PROGRESS", "PUBLISHED", "FAILED", "UNKNOWN"]).meta({
  id: "PublicationStatus",
  description:
    "`UNKNOWN`: the last call was sent and the network cannot tell what came of it; never sent again by itself",
});

export const ScheduleStatusView = z
  .enum([
    "DRAFT",
    "AWAITING_MEDIA",
    "SCHEDULED",
    "MEDIA_IMPORT_FAILED",
    "IN_PROGRESS",
    "COMPLETED",
    "PARTIALLY_COMPLETED",
    "FAILED",
  ])
  .meta({ id: "ScheduleStatus" });

export const PostView = z
  .object({
    id,
    content: z.string(),
    attachmentPaths: z.array(z.string()),
    chatId: z.string().optional(),
    thumbnail: storageKey.optional(),
    status: PublicationStatusView,
    networkPostId: z.string().optional().meta({ description: "The network's own identifier of the post" }),
    permalink: z.url().optional().meta({ description: "Where people see it" }),
    publishedTime: utcInstant.optional(),
    error: z.string().optional().meta({ description: "Why it could not be published" }),
  })
  .meta({ id: "Post" });

/** Which settings these can be is the networks' to say (`openapi/networks.ts`). */
const StoredSettings = z.looseObject({ type: z.string() }).meta({ id: "StoredPlatformSettings" });

export const PublicationView = z
  .object({
    id,
    socialMediaAccountId: id.meta({ description: "The `id` of an Account" }),
    platformSettings: StoredSettings,
    status: PublicationStatusView,
    posts: z.array(PostView),
  })
  .meta({ id: "Publication", description: "What goes out on one account" });

export const ScheduleView = z
  .object({
    id,
    overallStatus: ScheduleStatusView,
    scheduledTime: utcInstant.optional().meta({ description: "UTC; absent on a draft without a time" }),
    publications: z.array(PublicationView),
    changesRequested: z.literal(true).optional().meta({
      description:
        "Somebody with a review link asks for changes, and that is not closed; it keeps nothing from going out",
    }),
    pendingImports: z
      .array(PendingImportView)
      .optional()
      .meta({ description: "Imports under way; absent without any" }),
  })
  .meta({ id: "Schedule", description: "A posting schedule with the state of every part" });

export const ScheduleList = z.object({ items: z.array(ScheduleView), nextCursor }).meta({ id: "ScheduleList" });
