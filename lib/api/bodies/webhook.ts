import * as z from "zod";
import { eventTypes } from "../../webhooks/types";
import { publicUrl } from "./import";

export const EventTypeName = z.enum(eventTypes).meta({ id: "EventType" });

export const WebhookBody = z
  .strictObject({
    url: publicUrl.meta({ description: "https, at a public address. It is checked again at every call" }),
    events: z.array(EventTypeName).min(1).max(50).meta({ description: "The event types to send" }),
    description: z.string().trim().max(500).optional(),
    enabled: z.boolean().optional().meta({ description: "`true` by default. A PUT enables a disabled webhook" }),
  })
  .meta({ id: "NewWebhook" });
