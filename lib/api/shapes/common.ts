import { z } from "zod";
import { NotFound } from "../../errors";
import { platformValues } from "../../platforms";
import { parseInstant } from "../../time/instant";

export const PlatformEnum = z.enum(platformValues).meta({ numericId: "Platform" });

export const id = z.number().int();
export const utcInstant = z.iso.datetime().meta({ description: "UTC; milliseconds only where they are not zero" });
export const sixDigitTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
  .meta({ description: "UTC without an offset, six digits" });

/** A time as a query gives it. */
export const instantParam = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at) return at;
  context.addIssue({ code: "custom", message: "is not an ISO 8601 date and time that exists" });
  return z.NEVER;
});

export const storageKey = z.string().meta({ description: "A storage key, `<owner>/<object>.<ext>`" });

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Where the next page begins; `null` on the last one" });

/** A numeric id in a path. What cannot be one is as absent as one that never was. */
export function idOf(what: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new NotFound(what, text);
  return Number(text);
}

export const IdParam = z.object({ id: z.string().meta({ description: "A numeric id" }) });
