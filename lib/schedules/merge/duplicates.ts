import { createHash } from "node:crypto";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db, posts, publications, schedules } from "../../db";
import { normalizedText } from "../near-duplicates";
import { findSchedules, type Schedule } from "../read";
import { NOT_STARTED } from "../update";

/** How many of an owner's schedules are compared: the ones with the earliest times. */
export const MAX_COMPARED = 2_000;
/** How many schedules can be merged at once, and so the maximum that a group shows: the ones with the earliest times. */
export const MAX_MERGED = 50;
/** A schedule has up to 1 MB of text, so texts are read in batches. */
const TEXT_BATCH_SIZE = 50;

type DuplicatesQuery = {
  /** How far apart two schedules of a group may be; unlimited if absent. */
  withinHours?: number;
  limit: number;
  /** Returns only groups whose newest schedule has a smaller id. */
  before?: number;
};

/** Schedules with the same text; `more` is the number beyond those that can be merged at once. */
type DuplicateGroup = { schedules: Schedule[]; more: number };

/** `isComplete` is false if the owner has more schedules than are compared. */
export type Duplicates = { items: DuplicateGroup[]; next?: number; isComplete: boolean };

/**
 * Lists groups of schedules that have not started and have the same text. The group with the newest schedule comes first. Within
 * a group, the earliest time comes first and drafts without a time last.
 */
export async function listDuplicates(
  ownerId: string,
  { withinHours, limit, before }: DuplicatesQuery,
): Promise<Duplicates> {
  const { texts, isComplete } = await readScheduleTexts(ownerId);
  const groups = groupByText(texts, withinHours === undefined ? undefined : withinHours * 3_600_000)
    .map((ids) => ({
      newest: Math.max(...ids),
      ids: ids.slice(0, MAX_MERGED),
      more: Math.max(0, ids.length - MAX_MERGED),
    }))
    .filter(({ newest }) => before === undefined || newest < before)
    .toSorted((a, b) => b.newest - a.newest);
  const shown = groups.slice(0, limit);
  const there = new Map(
    (
      await findSchedules(
        ownerId,
        shown.flatMap(({ ids }) => ids),
      )
    ).map((schedule) => [schedule.id, schedule]),
  );
  return {
    items: shown
      .map(({ ids, more }) => ({ schedules: ids.flatMap((id) => there.get(id) ?? []), more }))
      .filter((group) => group.schedules.length > 1), // some may have been deleted just now
    next: groups.length > limit ? shown.at(-1)?.newest : undefined,
    isComplete,
  };
}

async function readScheduleTexts(ownerId: string): Promise<{ texts: ScheduleTexts[]; isComplete: boolean }> {
  const rows = await db
    .select({ id: schedules.id, at: schedules.scheduledTime })
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.status, [...NOT_STARTED])))
    .orderBy(asc(schedules.scheduledTime), asc(schedules.id)) // nulls come last
    .limit(MAX_COMPARED + 1);
  const all = rows.slice(0, MAX_COMPARED).map(({ id, at }): ScheduleTexts => {
    return { id, at: at === null ? undefined : Date.parse(at), texts: [] };
  });
  for (let from = 0; from < all.length; from += TEXT_BATCH_SIZE)
    await addTexts(all.slice(from, from + TEXT_BATCH_SIZE));
  return { texts: all, isComplete: rows.length <= MAX_COMPARED };
}

/** Adds a digest of each text to these schedules. Posts without text are ignored. */
async function addTexts(some: ScheduleTexts[]): Promise<void> {
  const ids = some.map(({ id }) => id);
  const rows = await db
    .select({
      scheduleId: publications.scheduleId,
      texts: sql<string[]>`array_agg(${posts.content} order by ${posts.position})`,
    })
    .from(publications)
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(inArray(publications.scheduleId, ids))
    .groupBy(publications.id);
  const under = new Map(some.map((one) => [one.id, one]));
  for (const { scheduleId, texts } of rows) {
    const text = normalizedText(texts.map((content) => ({ content })));
    if (text !== "") under.get(scheduleId)?.texts.push(createHash("sha256").update(text).digest("base64"));
  }
}

/** A schedule's normalized texts (`lib/schedules/near-duplicates.ts`). `at` is undefined for a draft without a time. */
export type ScheduleTexts = { id: number; at: number | undefined; texts: string[] };

/**
 * Groups schedules that have a text in common, directly or through others. Each schedule is in at most one group. Groups and
 * their members keep the order of `all`.
 * @param all sorted by time, those without a time last
 * @param withinMs how far apart two schedules may be; unlimited by default. One without a time counts as near the first.
 */
export function groupByText(all: ScheduleTexts[], withinMs = Number.POSITIVE_INFINITY): number[][] {
  const groupOf = new Map(all.map(({ id }) => [id, [id]]));
  const join = (one: number, other: number) => {
    const [into, from] = [groupOf.get(one) ?? [], groupOf.get(other) ?? []];
    if (into === from) return;
    into.push(...from);
    for (const id of from) groupOf.set(id, into);
  };
  const byText = new Map<string, { soonest: ScheduleTexts; last: ScheduleTexts }>();
  for (const one of all) {
    for (const text of new Set(one.texts)) {
      const others = byText.get(text);
      if (!others) byText.set(text, { soonest: one, last: one });
      else if (one.at === undefined) join(others.soonest.id, one.id);
      else {
        if (one.at - (others.last.at ?? 0) <= withinMs) join(others.last.id, one.id);
        others.last = one;
      }
    }
  }
  const places = new Map(all.map(({ id }, index) => [id, index]));
  const placeOf = (id: number) => places.get(id) ?? 0;
  return [...new Set(groupOf.values())]
    .filter((ids) => ids.length > 1)
    .map((ids) => ids.toSorted((a, b) => placeOf(a) - placeOf(b)));
}
