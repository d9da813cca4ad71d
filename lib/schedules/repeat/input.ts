import * as z from "zod";
import type { Recurrence } from "../../time/recurrence";
import { weekdays } from "../../time/slots";
import { isTimeZone } from "../../time/zone";

/** More than two years of weekly posts. */
export const MOST_REPEATS = 100;

/** On which days, at which time, and until when a schedule is to go out again. */
export const RepeatWish = z
  .strictObject({
    every: z.enum(["DAY", "WEEK", "MONTH"]),
    weekdays: z.array(z.enum(weekdays)).min(1).max(7).optional().meta({ description: "For `WEEK`, and only for it" }),
    dayOfMonth: z
      .number()
      .int()
      .min(1)
      .max(31)
      .optional()
      .meta({ description: "For `MONTH`, and only for it; in a shorter month the last day" }),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 09:30")
      .meta({ description: "Of the wall clock in `timeZone`" }),
    timeZone: z
      .string()
      .refine(isTimeZone, "must be a name of the IANA time zone database, such as Europe/Berlin")
      .meta({ description: "A name of the IANA time zone database, such as `Europe/Berlin`" }),
    until: z.iso
      .date("must be a date that exists, such as 2030-01-31")
      .optional()
      .meta({ description: "The last day that counts, in `timeZone`; this or `count`" }),
    count: z
      .number()
      .int()
      .min(1)
      .max(MOST_REPEATS)
      .optional()
      .meta({ description: "How many dates, those left out included; this or `until`" }),
    leaveOut: z
      .array(z.iso.date("must be a date that exists, such as 2030-01-31"))
      .max(MOST_REPEATS)
      .default([])
      .meta({ description: "Dates, as they are answered, at which nothing is to go out" }),
  })
  .superRefine((wish, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ((wish.every === "WEEK") !== (wish.weekdays !== undefined)) say("weekdays", "is for WEEK alone");
    if ((wish.every === "MONTH") !== (wish.dayOfMonth !== undefined)) say("dayOfMonth", "is for MONTH alone");
    if ((wish.until === undefined) === (wish.count === undefined)) say("count", "cannot stand beside until");
  })
  .meta({ id: "NewRepeats" });

export type RepeatWish = z.output<typeof RepeatWish>;

/** The wish as days and a time. */
export function recurrenceOf({ every, weekdays: named = [], dayOfMonth = 1, time }: RepeatWish): Recurrence {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const minute = hours * 60 + minutes;
  if (every === "WEEK") return { on: { every, weekdays: named.map((day) => weekdays.indexOf(day)) }, minute };
  if (every === "MONTH") return { on: { every, day: dayOfMonth }, minute };
  return { on: { every }, minute };
}
