import { z } from "zod";
import { NotFound } from "../../errors";
import { platformValues } from "../../platforms";
import { parseId } from "../../text";
import { instantProblem, parseInstant } from "../../time/instant";

export const PlatformEnum = z.enum(platformValues).meta({ id: "Platform" });

export const id = z.number().int();
export const utcInstant = z.iso.datetime().meta({ description: "UTC, with milliseconds only if they are not zero" });
export const sixDigitTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
  .meta({ description: "UTC without an offset, with six fractional digits" });

/** A time in a query parameter. */
export const instantParam = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at) return at;
  // In an address, + means a space.
  const note = / \d\d(:?\d\d)?$/.test(text)
    ? ": in an address, the + of an offset must be written %2B, or the time be in UTC with Z"
    : "";
  context.addIssue({ code: "custom", message: `${instantProblem(text)}${note}` });
  return z.NEVER;
});

export const storageKey = z.string().meta({ description: "A storage key, `<owner>/<object>.<ext>`" });

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "The cursor of the next page; `null` on the last page" });

/** Parses a numeric ID in a path. @throws NotFound for a malformed ID, as for one that does not exist */
export function idOf(what: string, text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new NotFound(what, text);
  return id;
}

export const IdParam = z.object({ id: z.string().meta({ description: "A numeric ID" }) });
