import * as z from "zod";
import { eventTypes } from "../../webhooks/types";
import { publicUrl } from "./import";

export const EventTypeName = z.enum(eventTypes).meta({ id: "EventType" });

export const WebhookBody = z
  .strictObject({
    url: publicUrl.meta({ description: "https, at a public address; checked again at every call" }),
    events: z.array(EventTypeName).min(1).max(50).meta({ description: "What it is told of" }),
    description: z.string().max(500).optional(),
    enabled: z.boolean().optional().meta({ description: "Usually `true`; a PUT enables one that was disabled" }),
  })
  .meta({ id: "NewWebhook" });
