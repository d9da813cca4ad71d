import { z } from "zod";
import { noticeFields, quietHoursFields } from "../bodies/notifications";
import { nextCursor } from "./common";

export const NotificationsView = z
  .object({
    email: z.object(noticeFields),
    quietHours: z.object(quietHoursFields).optional().meta({
      description:
        "Every day from one time to the other, over midnight where the second is earlier; absent without any",
    }),
  })
  .meta({ id: "Notifications", description: "What is written to the user, by e-mail" });

export const ConnectUserView = z
  .object({
    uuid: z.uuid().meta({ description: "What `X-Connect-User-Id` takes" }),
    name: z.string(),
    email: z.string().optional().meta({ description: "For the partner's own reference; nothing is sent to it" }),
  })
  .meta({ id: "ConnectUser", description: "A partner's end-user" });

export const ConnectUserList = z
  .object({ items: z.array(ConnectUserView), nextCursor })
  .meta({ id: "ConnectUserList" });
