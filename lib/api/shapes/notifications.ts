import { z } from "zod";
import { isTimeZone } from "../../zone";

const wanted = (when: string) => z.boolean().meta({ description: when });

const kinds = {
  postPublished: wanted("Every account of a post has it"),
  postFailed: wanted("One or more accounts of a post do not have it"),
  accountReconnect: wanted("A network no longer lets Carillon post for an account"),
  webhookDisabled: wanted("A webhook endpoint was switched off"),
};

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 22:00")
  .meta({ description: "Of the wall clock in `timeZone`" });
const timeZone = z.string().meta({ description: "A name of the IANA time zone database, such as `Europe/Berlin`" });
const quietHours = { from: clock, to: clock, timeZone };

export const NotificationsView = z
  .object({
    email: z.object(kinds),
    quietHours: z.object(quietHours).optional().meta({
      description:
        "Every day from one time to the other, over midnight where the second is earlier; absent without any",
    }),
  })
  .meta({ id: "Notifications", description: "What is written to the user, by e-mail" });

/** The same as a body, every kind named. */
export const WantedNotifications = z.strictObject({
  email: z.strictObject(kinds),
  quietHours: z
    .strictObject({
      ...quietHours,
      timeZone: timeZone.refine(isTimeZone, "must be a name of the IANA time zone database, such as Europe/Berlin"),
    })
    .refine(({ from, to }) => from !== to, { path: ["to"], error: "must be another time than from" })
    .transform(({ from, to, timeZone }) => ({ from: minuteOf(from), to: minuteOf(to), timeZone }))
    .nullish()
    .meta({ description: "`null` ends them; where it is absent they stay as they are" }),
});

function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}
