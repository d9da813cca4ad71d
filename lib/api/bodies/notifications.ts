import * as z from "zod";
import { isTimeZone } from "../../time/zone";

const wanted = (when: string) => z.boolean().meta({ description: when });

/** What is written about; the same in an answer. */
export const noticeFields = {
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

/** The same in an answer. */
export const quietHoursFields = { from: clock, to: clock, timeZone };

/** Every kind named. */
export const NotificationsBody = z.strictObject({
  email: z.strictObject(noticeFields),
  quietHours: z
    .strictObject({
      ...quietHoursFields,
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
