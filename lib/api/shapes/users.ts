import { z } from "zod";
import { noticeFields, quietHoursFields } from "../bodies/notifications";
import { nextCursor } from "./common";

export const NotificationsView = z
  .object({
    email: z.object(noticeFields),
    quietHours: z.object(quietHoursFields).optional().meta({
      description: "Daily from one time to the other, past midnight if the second is earlier. Absent if not set",
    }),
  })
  .meta({ id: "Notifications", description: "Which e-mails the user gets" });

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
