import { z } from "zod";
import { oneOf } from "../http/schema-problems";
import { searchWords } from "../search-text";
import { isDatabaseInstant } from "../time/instant";
import { instantParam, PlatformEnum, ScheduleStatusView } from "./shapes";

/** Each word is searched in every text that matches the words before it. */
const MAX_WORDS = 20;

const STATUS = ScheduleStatusView.options.join("|");
const isStatus = (text: string): text is z.infer<typeof ScheduleStatusView> =>
  ScheduleStatusView.safeParse(text).success;

/** The filters of a list of schedules. */
export const postFilters = z.object({
  status: z
    .string()
    .meta({ pattern: `^(${STATUS})(,(${STATUS}))*$` })
    .refine((text) => text.split(",").every(isStatus), `must be ${oneOf(ScheduleStatusView.options)}`)
    .transform((text) => text.split(",").filter(isStatus))
    .optional()
    .meta({ description: "Only posts with this status, or with one of several, separated by commas" }),
  platform: PlatformEnum.optional().meta({ description: "Only posts for an account on this network" }),
  accountId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "The `id` of an account, or its identifier on the network" }),
  text: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => searchWords(text).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`)
    .optional()
    .meta({
      description: `Only posts whose texts (all contents and titles together) contain every one of these words, ignoring case and accents. At most 200 characters, without surrounding spaces, and ${MAX_WORDS} words`,
      maxLength: undefined,
    }),
  attachment: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Only posts that use this file, given by its storage key" }),
  needsReconnecting: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({ description: "`true`: only posts for an account that needs reconnecting" }),
  proposed: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({
      description:
        "`true`: only posts that an application proposed; with `status=DRAFT`, those that wait for approval. `false`: only others",
    }),
  hasTime: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .meta({ description: "`false`: only drafts without a time. `true`: only posts with one" }),
  from: instantParam.optional().meta({ description: "The earliest `scheduledTime`" }),
  to: instantParam.optional().meta({ description: "The latest `scheduledTime`" }),
});

/** `limit` and `cursor`, the parameters of every list. */
const INVALID_CURSOR = "is not a cursor from an earlier response";

export const limitParam = z
  .string()
  .regex(/^\d{1,3}$/, "must be a whole number from 1 to 100")
  .transform(Number)
  .pipe(z.number().min(1).max(100))
  .default(20)
  .meta({ description: "The maximum number of items", type: "integer", minimum: 1, maximum: 100, pattern: undefined });

/** The longest cursor holds the name of a file: 255 characters, of up to three bytes each, in Base64. */
const MAX_CURSOR = 1_200;

const cursorText = z
  .string()
  .max(MAX_CURSOR, INVALID_CURSOR)
  .regex(/^[A-Za-z0-9_-]+$/, INVALID_CURSOR);

/** A cursor is opaque to callers. It is the position of the last item shown, so that new items do not shift pages. */
export function cursorParam<T>(place: z.ZodType<T>) {
  return cursorText
    .transform((cursor, context): T => placeOf(place, cursor, context))
    .optional()
    .meta({ description: "The `nextCursor` of the previous page" });
}

/** The position in a log to continue from. `now` is its end. */
export function sinceParam<T>(place: z.ZodType<T>) {
  return cursorText
    .transform((cursor, context): T | "now" => (cursor === "now" ? cursor : placeOf(place, cursor, context)))
    .optional()
    .meta({ description: "The `nextCursor` of an earlier response, or `now` for new events only" });
}

function placeOf<T>(place: z.ZodType<T>, cursor: string, context: z.RefinementCtx): T {
  const parsed = place.safeParse(decoded(cursor));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: "custom", message: INVALID_CURSOR });
  return z.NEVER;
}

/** The position in a list sorted by creation time. The ID separates items created at the same instant. */
export const TimeCursor = z.tuple([z.string().refine(isDatabaseInstant), z.uuid()]);

function decoded(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Encodes a position as a cursor. */
export function cursorOf(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Builds the response of a list: its presented items and the cursor of the next page. */
export function presentPage<T, V>({ items, next }: { items: T[]; next?: unknown }, present: (item: T) => V) {
  const nextCursor = next === undefined ? null : cursorOf(next);
  return { items: items.map(present), nextCursor };
}
