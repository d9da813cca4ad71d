import { z } from "zod";
import { id, PlatformEnum, utcInstant } from "./common";
import { PostView, PublicationStatusView, pauseFields, ScheduleStatusView } from "./schedules";

const Attempt = z
  .object({
    postId: id,
    outcome: z.enum(["PUBLISHED", "WAITING", "RETRYING", "LOOKING", "FAILED", "UNKNOWN"]).meta({
      description: "`LOOKING`: a call was sent, and the network is read to learn what became of it",
    }),
    message: z.string().meta({ description: "What happened, for a person" }),
    startTime: utcInstant,
    endTime: utcInstant,
    times: z.number().int().meta({ description: "How often the same came of it, one after the other" }),
    answer: z
      .object({ status: z.number().int(), code: z.string().optional(), message: z.string().optional() })
      .optional()
      .meta({ description: "What the network answered, secrets removed; status 0 where no answer came" }),
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
      .meta({ description: "When it is tried or looked at again; absent when it is not" }),
    story: z.array(Attempt),
    posts: z.array(PostView),
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
  .meta({ id: "Receipt", description: "What was tried for each publication, and whether it will be tried again" });

const PreviewRequest = z
  .object({
    step: z.string().meta({ description: "What the request is for" }),
    makesPublic: z.boolean().meta({ description: "The one after which people see the post" }),
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
