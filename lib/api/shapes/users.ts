import { z } from "zod";
import { noticeFields, quietHoursFields } from "../bodies/notifications";
import { nextCursor, sixDigitTime } from "./common";

export const NotificationsView = z
  .object({
    email: z.object(noticeFields),
    quietHours: z.object(quietHoursFields).optional().meta({
      description: "Daily from one time to the other, past midnight if the second is earlier. Absent if not set",
    }),
  })
  .meta({ id: "Notifications", description: "Which emails the user gets" });

export const ConnectUserView = z
  .object({
    uuid: z.uuid().meta({ description: "What `X-Connect-User-Id` takes" }),
    name: z.string(),
    email: z.string().optional().meta({ description: "For the partner's own use. Carillon sends nothing to it" }),
  })
  .meta({ id: "ConnectUser", description: "A partner's end-user" });

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
