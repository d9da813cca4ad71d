import { z } from "zod";
import { kinds, quietHours } from "../bodies/notifications";

export const NotificationsView = z
  .object({
    email: z.object(kinds),
    quietHours: z.object(quietHours).optional().meta({
      description:
        "Every day from one time to the other, over midnight where the second is earlier; absent without any",
    }),
  })
  .meta({ id: "Notifications", description: "What is written to the user, by e-mail" });
