import * as z from "zod";
import { isTimeZone } from "../../time/zone";

const wanted = (when: string) => z.boolean().meta({ description: when });

/** The kinds of notices. Responses use the same fields. */
export const noticeFields = {
  postPublished: wanted("A post was published on all of its accounts"),
  postFailed: wanted("A post failed on one or more accounts"),
  accountReconnect: wanted("An account must be connected again, or must be soon"),
  webhookDisabled: wanted("A webhook was disabled"),
};

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 22:00")
  .meta({ description: "Local time in `timeZone`" });
const timeZone = z.string().meta({ description: "An IANA time zone, such as `Europe/Berlin`" });

/** Responses use the same fields. */
export const quietHoursFields = { from: clock, to: clock, timeZone };

/** Responses use the same fields. */
export const digestFields = { time: clock, timeZone };

/** All kinds are required. */
export const NotificationsBody = z.strictObject({
  email: z.strictObject(noticeFields),
  quietHours: z
    .strictObject({
      ...quietHoursFields,
      timeZone: timeZone.refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin"),
    })
    .refine(({ from, to }) => from !== to, { path: ["to"], error: "must be a different time than from" })
    .transform(({ from, to, timeZone }) => ({ from: minuteOf(from), to: minuteOf(to), timeZone }))
    .nullish()
    .meta({ description: "`null` removes them. If absent, they do not change" }),
  digest: z
    .strictObject({
      ...digestFields,
      timeZone: timeZone.refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin"),
    })
    .transform(({ time, timeZone }) => ({ minute: minuteOf(time), timeZone }))
    .nullish()
    .meta({ description: "`null` turns it off. If absent, it does not change" }),
});

function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}
