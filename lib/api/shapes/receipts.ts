import { z } from "zod";
import { id, PlatformEnum, utcInstant } from "./common";
import { FirstCommentView, PostView, PublicationStatusView, pauseFields, ScheduleStatusView } from "./schedules";

const Attempt = z
  .object({
    postId: id,
    firstComment: z.literal(true).optional().meta({ description: "An attempt at the first comment on this post" }),
    outcome: z.enum(["PUBLISHED", "WAITING", "RETRYING", "LOOKING", "FAILED", "UNKNOWN"]).meta({
      description: "`LOOKING`: a call was sent, and the network is read to find out whether it succeeded",
    }),
    message: z.string().meta({ description: "What happened, as text for people" }),
    startTime: utcInstant,
    endTime: utcInstant,
    times: z.number().int().meta({ description: "How many times in a row the outcome was the same" }),
    answer: z
      .object({ status: z.number().int(), code: z.string().optional(), message: z.string().optional() })
      .optional()
      .meta({ description: "The network's answer without secrets. The status is 0 if there was no answer" }),
    nextAttemptTime: utcInstant.optional(),
  })
  .meta({ id: "Attempt" });

const PublicationReceipt = z
  .object({
    id,
    socialMediaAccountId: id,
    platform: PlatformEnum,
    status: PublicationStatusView,
    attempts: z.number().int(),
    nextAttemptTime: utcInstant
      .optional()
      .meta({ description: "When it, or its first comment, is tried or checked again. Absent if it is not" }),
    story: z.array(Attempt),
    posts: z.array(PostView),
    firstComment: FirstCommentView.optional(),
  })
  .meta({ id: "PublicationReceipt" });

export const ReceiptView = z
  .object({
    id,
    overallStatus: ScheduleStatusView,
    scheduledTime: utcInstant.optional(),
    ...pauseFields,
    publications: z.array(PublicationReceipt),
  })
  .meta({ id: "Receipt", description: "The attempts on each account, and whether there will be more" });

const PreviewRequest = z
  .object({
    step: z.string().meta({ description: "The purpose of the request" }),
    makesPublic: z.boolean().meta({ description: "Whether this request makes the post public" }),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  })
  .meta({ id: "PreviewRequest" });

const PostPreview = z
  .object({
    id,
    problem: z.string().optional().meta({ description: "Why nothing would be sent" }),
    requests: z.array(PreviewRequest),
  })
  .meta({ id: "PostPreview" });

const PublicationPreview = z
  .object({ id, socialMediaAccountId: id, posts: z.array(PostPreview) })
  .meta({ id: "PublicationPreview" });

export const PreviewView = z
  .object({ id, publications: z.array(PublicationPreview) })
  .meta({ id: "Preview", description: "The requests that publishing would send" });
