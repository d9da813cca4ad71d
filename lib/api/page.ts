import { z } from "zod";
import { searchWords } from "../schedules/search-text";
import { instantParam, PlatformEnum, ScheduleStatusView } from "./shapes";

/** Each is looked for in every text that holds those before it. */
const MAX_WORDS = 20;

/** Which schedules are meant, in a query. */
export const postFilters = z.object({
  status: ScheduleStatusView.optional().meta({ description: "Only schedules in this state" }),
  platform: PlatformEnum.optional().meta({ description: "Only schedules with a publication on this network" }),
  accountId: z.string().min(1).max(255).optional().meta({ description: "An Account's `id`, or the network's own" }),
  text: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => searchWords(text).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`)
    .optional()
    .meta({
      description: `Only schedules whose texts (contents and titles, all publications together) hold every one of these words, in any case, with or without accents. At most 200 characters, but for spaces around them, and ${MAX_WORDS} words`,
      maxLength: undefined,
    }),
  attachment: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Only schedules with a post that uses this file, by its storage key" }),
  from: instantParam.optional().meta({ description: "The earliest `scheduledTime`" }),
  to: instantParam.optional().meta({ description: "The latest `scheduledTime`" }),
});

/** `limit` and `cursor`, as every list takes them. */
const INVALID_CURSOR = "is not a cursor that an earlier answer gave";

export const limitParam = z
  .string()
  .regex(/^\d{1,3}$/, "must be a whole number from 1 to 100")
  .transform(Number)
  .pipe(z.number().min(1).max(100))
  .default(20)
  .meta({ description: "How many at most", type: "integer", minimum: 1, maximum: 100, pattern: undefined });

const cursorText = z
  .string()
  .max(200, INVALID_CURSOR)
  .regex(/^[A-Za-z0-9_-]+$/, INVALID_CURSOR);

/** A cursor is opaque to callers: the place of the last item shown, so that what is added later moves nothing. */
export function cursorParam<T>(place: z.ZodType<T>) {
  return cursorText
    .transform((cursor, context): T => placeOf(place, cursor, context))
    .optional()
    .meta({ description: "The `nextCursor` of the page before" });
}

/** Where in a log to go on; `now` is where it ends. */
export function sinceParam<T>(place: z.ZodType<T>) {
  return cursorText
    .transform((cursor, context): T | "now" => (cursor === "now" ? cursor : placeOf(place, cursor, context)))
    .optional()
    .meta({ description: "The `nextCursor` of an earlier answer, or `now` for what comes" });
}

function placeOf<T>(place: z.ZodType<T>, cursor: string, context: z.RefinementCtx): T {
  const parsed = place.safeParse(decoded(cursor));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: "custom", message: INVALID_CURSOR });
  return z.NEVER;
}

/** The place of things that are listed by when they were made; the id tells those of one instant apart. */
export const TimeCursor = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/), z.uuid()]);

function decoded(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A place as callers are given it. */
export function cursorOf(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** What a list answers: its items, presented, and where the next page begins. */
export function presentPage<T, V>({ items, next }: { items: T[]; next?: unknown }, present: (item: T) => V) {
  const nextCursor = next === undefined ? null : cursorOf(next);
  return { items: items.map(present), nextCursor };
}
