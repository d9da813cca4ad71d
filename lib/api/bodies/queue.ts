import * as z from "zod";
import { repeated, type Slot, weekdays } from "../../time/weekly";
import { isTimeZone } from "../../time/zone";

const MOST_SLOTS = 100;

/** Responses use the same fields. */
export const slotFields = {
  weekday: z.enum(weekdays),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 09:30")
    .meta({ description: "Local time in `timeZone`, from `00:00` to `23:59`" }),
};

/** Responses use the same field. */
export const timeZoneField = z.string().meta({ description: "An IANA time zone, such as `Europe/Berlin`" });

export const QueueBody = z.strictObject({
  timeZone: timeZoneField.refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin"),
  slots: z
    .array(z.strictObject(slotFields))
    .max(MOST_SLOTS)
    .refine((slots) => repeatedIn(slots).length === 0, {
      error: ({ input }) => `has ${repeatedIn(input).join(", ")} twice`,
      // Reported together with problems of single slots.
      when: ({ value }) => Array.isArray(value) && value.length <= MOST_SLOTS,
    }),
});

/** Checks the entries that are valid slots and skips the others. */
function repeatedIn(slots: unknown): string[] {
  const whole = z.array(z.unknown()).parse(slots);
  return repeated(whole.filter((one): one is Slot => z.object(slotFields).safeParse(one).success));
}
