import { z } from "zod";
import { EventTypeName } from "../bodies/webhook";
import { id, nextCursor, sixDigitTime, utcInstant } from "./common";

const webhook = {
  id,
  url: z.string(),
  events: z.array(EventTypeName),
  description: z.string().optional(),
  enabled: z.boolean(),
  disabledReason: z.string().optional().meta({ description: "Why Carillon disabled it" }),
  createdTime: sixDigitTime,
  updatedTime: sixDigitTime,
};

export const WebhookView = z.object(webhook).meta({ id: "Webhook", description: "An endpoint that receives events" });

export const WebhookWithSecret = z
  .object({
    ...webhook,
    secret: z.string().meta({ description: "`whsec_` and base64, for a Standard Webhooks library. Shown only here" }),
  })
  .meta({ id: "WebhookWithSecret", description: "A webhook with its new secret" });

export const WebhookList = z.object({ items: z.array(WebhookView), nextCursor }).meta({ id: "WebhookList" });

const AttemptView = z
  .object({
    startTime: utcInstant,
    durationMs: z.number().int(),
    url: z.string(),
    headers: z.record(z.string(), z.string()).meta({ description: "As sent, with the signature masked" }),
    status: z.number().int().optional().meta({ description: "Absent if there was no answer" }),
    answer: z.string().optional().meta({ description: "Its beginning, at most 4 KB, without secrets" }),
    error: z.string().optional().meta({ description: "Why the attempt failed" }),
  })
  .meta({ id: "WebhookAttempt" });

export const DeliveryView = z
  .object({
    id: z.string().meta({ description: "The `webhook-id` header, the same for every attempt" }),
    type: z.string().meta({ description: "The event's type, or `webhook.test`" }),
    state: z.enum(["PENDING", "DELIVERED", "FAILED"]).meta({
      description: "`FAILED`: the last attempt failed, or the webhook was disabled",
    }),
    body: z.string().meta({ description: "The exact bytes that are sent and signed" }),
    attempts: z.array(AttemptView),
    nextAttemptTime: utcInstant.optional(),
    createdTime: sixDigitTime,
    endedTime: sixDigitTime.optional(),
  })
  .meta({ id: "WebhookDelivery", description: "The delivery of an event to a webhook, with every attempt" });

export const DeliveryList = z.object({ items: z.array(DeliveryView), nextCursor }).meta({ id: "WebhookDeliveryList" });
