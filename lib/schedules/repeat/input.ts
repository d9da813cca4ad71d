import * as z from "zod";
import type { Recurrence } from "../../time/recurrence";
import { weekdays } from "../../time/weekly";
import { isTimeZone } from "../../time/zone";

/** Almost two years of weekly posts. */
export const MAX_REPEATS = 100;

/** The days, the time and the end of a repetition. */
export const RepeatInput = z
  .strictObject({
    every: z.enum(["DAY", "WEEK", "MONTH"]),
    weekdays: z.array(z.enum(weekdays)).min(1).max(7).optional().meta({ description: "Only for `WEEK`" }),
    dayOfMonth: z
      .number()
      .int()
      .min(1)
      .max(31)
      .optional()
      .meta({ description: "Only for `MONTH`; a shorter month uses its last day" }),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 09:30")
      .meta({ description: "Local time in `timeZone`" }),
    timeZone: z
      .string()
      .refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin")
      .meta({ description: "An IANA time zone, such as `Europe/Berlin`" }),
    until: z.iso
      .date("must be a date that exists, such as 2030-01-31")
      .optional()
      .meta({ description: "The last possible date, in `timeZone`; give this or `count`" }),
    count: z
      .number()
      .int()
      .min(1)
      .max(MAX_REPEATS)
      .optional()
      .meta({ description: "The number of dates, including those in `leaveOut`; give this or `until`" }),
    leaveOut: z
      .array(z.iso.date("must be a date that exists, such as 2030-01-31"))
      .max(MAX_REPEATS)
      .default([])
      .meta({ description: "Dates of the response to leave out" }),
  })
  .superRefine((input, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ((input.every === "WEEK") !== (input.weekdays !== undefined)) addIssue("weekdays", "is for WEEK only");
    if ((input.every === "MONTH") !== (input.dayOfMonth !== undefined)) addIssue("dayOfMonth", "is for MONTH only");
    if ((input.until === undefined) === (input.count === undefined))
      addIssue("count", "must be given if until is not, and cannot be combined with it");
  })
  .meta({ id: "NewRepeats" });

export type RepeatInput = z.output<typeof RepeatInput>;

/** Returns the input as days and a time. */
export function recurrenceOf({ every, weekdays: named = [], dayOfMonth = 1, time }: RepeatInput): Recurrence {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const minute = hours * 60 + minutes;
  if (every === "WEEK") return { on: { every, weekdays: named.map((day) => weekdays.indexOf(day)) }, minute };
  if (every === "MONTH") return { on: { every, day: dayOfMonth }, minute };
  return { on: { every }, minute };
}
