import { z } from "zod";

const wanted = (when: string) => z.boolean().meta({ description: when });

const kinds = {
  postPublished: wanted("Every account of a post has it"),
  postFailed: wanted("One or more accounts of a post do not have it"),
  accountReconnect: wanted("A network no longer lets Carillon post for an account"),
  webhookDisabled: wanted("A webhook endpoint was switched off"),
};

export const NotificationsView = z
  .object({ email: z.object(kinds) })
  .meta({ id: "Notifications", description: "What is written to the user, by e-mail" });

/** The same as a body: every kind is named, and nothing else. */
export const WantedNotifications = z.strictObject({ email: z.strictObject(kinds) });
