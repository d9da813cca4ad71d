import { createHash } from "node:crypto";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db, posts, publications, schedules } from "../../db";
import { shortenPage } from "../../http/page-size";
import { giveWay } from "../../time/give-way";
import { normalizedText } from "../near-duplicates";
import { findSchedules, type Schedule } from "../read";
import { NOT_STARTED } from "../update";

/** How many of an owner's schedules are compared: the ones with the earliest times. */
export const MAX_COMPARED = 2_000;
/**
 * How many schedules can be merged at once, and so the maximum that a group shows: the ones with the earliest times. A group
 * of very long texts shows fewer.
 */
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
  const { texts, characters, isComplete } = await readScheduleTexts(ownerId);
  const charactersOf = (ids: number[]) => ids.reduce((sum, id) => sum + (characters.get(id) ?? 0), 0);
  const groups = groupByText(texts, withinHours === undefined ? undefined : withinHours * 3_600_000)
    .map((all) => {
      const ids = shortenPage(all.slice(0, MAX_MERGED), (id) => charactersOf([id]));
      return { newest: Math.max(...all), ids, more: all.length - ids.length };
    })
    .filter(({ newest }) => before === undefined || newest < before)
    .toSorted((a, b) => b.newest - a.newest);
  const shown = shortenPage(groups.slice(0, limit), ({ ids }) => charactersOf(ids));
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
    next: groups.length > shown.length ? shown.at(-1)?.newest : undefined,
    isComplete,
  };
}

type ReadTexts = {
  texts: ScheduleTexts[];
  /** The length of all texts of a schedule, by its id. */
  characters: Map<number, number>;
  isComplete: boolean;
};

async function readScheduleTexts(ownerId: string): Promise<ReadTexts> {
  const rows = await db
    .select({ id: schedules.id, at: schedules.scheduledTime })
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.status, [...NOT_STARTED])))
    .orderBy(asc(schedules.scheduledTime), asc(schedules.id)) // nulls come last
    .limit(MAX_COMPARED + 1);
  const all = rows.slice(0, MAX_COMPARED).map(({ id, at }): ScheduleTexts => {
    return { id, at: at === null ? undefined : Date.parse(at), texts: [] };
  });
  const characters = new Map<number, number>();
  for (let from = 0; from < all.length; from += TEXT_BATCH_SIZE)
    await addTexts(all.slice(from, from + TEXT_BATCH_SIZE), characters);
  return { texts: all, characters, isComplete: rows.length <= MAX_COMPARED };
}

/** Adds a digest of each text to these schedules, and their lengths to `characters`. Posts without text are ignored. */
async function addTexts(some: ScheduleTexts[], characters: Map<number, number>): Promise<void> {
  const ids = some.map(({ id }) => id);
  const rows = await db
    .select({
      scheduleId: publications.scheduleId,
      // As JSON, because the driver takes ten times as long to parse an array of long texts.
      texts: sql<string[]>`json_agg(${posts.content} order by ${posts.position})`,
    })
    .from(publications)
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(inArray(publications.scheduleId, ids))
    .groupBy(publications.id);
  const under = new Map(some.map((one) => [one.id, one]));
  for (const { scheduleId, texts } of rows) {
    await giveWay();
    const length = texts.reduce((sum, { length }) => sum + length, 0);
    characters.set(scheduleId, (characters.get(scheduleId) ?? 0) + length);
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
