import { z } from "zod";
import { digestFields, noticeFields, quietHoursFields } from "../bodies/notifications";
import { AccountView } from "./accounts";
import { nextCursor, sixDigitTime } from "./common";
import { ScheduleView } from "./schedules";
import { WebhookView } from "./webhooks";

export const NotificationsView = z
  .object({
    email: z.object(noticeFields),
    digest: z.object(digestFields).optional().meta({
      description: "A mail once a day with what went out, what failed and what comes next. Absent if it is off",
    }),
    quietHours: z.object(quietHoursFields).optional().meta({
      description: "Daily from one time to the other, past midnight if the second is earlier. Absent if not set",
    }),
  })
  .meta({ id: "Notifications", description: "Which emails the user gets" });

const attention = { time: sixDigitTime, isUnread: z.boolean() };

export const AttentionView = z
  .object({
    time: sixDigitTime.meta({ description: "When it was read. Send it as `readTime` to mark these items as read" }),
    isMore: z.boolean().meta({ description: "There are more failed posts than these" }),
    items: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("ACCOUNT_TO_RECONNECT"), account: AccountView, ...attention }),
        z.object({ kind: z.literal("POST_FAILED"), post: ScheduleView, ...attention }),
        z.object({
          kind: z.literal("CHANGES_REQUESTED"),
          post: ScheduleView,
          reviewer: z.string().meta({ description: "The name that the reviewer entered" }),
          ...attention,
        }),
        z.object({ kind: z.literal("WEBHOOK_DISABLED"), webhook: WebhookView, ...attention }),
      ]),
    ),
  })
  .meta({ id: "Attention", description: "What needs the user, the newest first" });

export const ConnectUserView = z
  .object({
    uuid: z.uuid().meta({ description: "What `X-Connect-User-Id` takes" }),
    name: z.string(),
    email: z.string().optional().meta({ description: "For the partner's own use. Carillon sends nothing to it" }),
  })
  .meta({ id: "ConnectUser", description: "A partner's customer" });

export const ConnectUserList = z
  .object({ items: z.array(ConnectUserView), nextCursor })
  .meta({ id: "ConnectUserList" });

export const SessionList = z
  .object({
    items: z.array(
      z.object({
        id: z.uuid(),
        userAgent: z.string().optional().meta({ description: "What the browser called itself at the sign-in" }),
        address: z.string().optional().meta({ description: "The IP address of the sign-in" }),
        createdTime: sixDigitTime,
        lastUsedTime: sixDigitTime.meta({ description: "Accurate to a minute" }),
        isCurrent: z.boolean().meta({ description: "Whether this session makes the call" }),
      }),
    ),
  })
  .meta({ id: "Sessions" });

export const AllowedApplicationView = z
  .object({
    id: z.string().meta({ description: "Its client ID" }),
    name: z.string(),
    registeredBy: z
      .object({
        type: z.enum(["OPERATOR", "USER"]),
        name: z.string().optional(),
        email: z.string().optional().meta({ description: "Absent if the address is not confirmed" }),
      })
      .meta({ description: "The operator of this service, or the user with this name" }),
    scopes: z.array(z.string()),
    allowedTime: sixDigitTime.meta({ description: "When the user first allowed it" }),
    firstUsedTime: sixDigitTime.optional().meta({ description: "When it got its first token" }),
    lastUsedTime: sixDigitTime.optional().meta({ description: "When it last got or used a token, to about a minute" }),
  })
  .meta({ id: "AllowedApplication", description: "An application that may act for the user. None has been reviewed" });
