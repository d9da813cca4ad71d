import { createHash } from "node:crypto";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db, posts, publications, schedules } from "../../db";
import { wordsOf } from "../near-duplicates";
import { type Schedule, schedulesUnder } from "../read";
import { NOT_STARTED } from "../update";

/** How many of an owner's schedules are compared: those that go out soonest. */
export const MOST_COMPARED = 2_000;
/** How many can be merged at once, and so how many a group shows: those that go out soonest. */
export const MOST_MERGED = 50;
/** A schedule holds 1 MB at most: so many are in memory at once. */
const TEXTS_AT_ONCE = 50;

type Wish = {
  /** How far apart two of a group may be; absent: however far. */
  withinHours?: number;
  limit: number;
  /** The id to go on before. */
  before?: number;
};

/** Those that say the same, and how many more there are of them than can be merged at once. */
type Group = { schedules: Schedule[]; more: number };

/** `isComplete` is false where there are more than are compared. */
export type Duplicates = { items: Group[]; next?: number; isComplete: boolean };

/**
 * The owner's schedules that have not started and say the same as another, in groups, the one with the newest schedule
 * first; in a group the soonest first, drafts without a time last.
 */
export async function listDuplicates(ownerId: string, { withinHours, limit, before }: Wish): Promise<Duplicates> {
  const { said, isComplete } = await saidBy(ownerId);
  const groups = groupsOf(said, withinHours === undefined ? undefined : withinHours * 3_600_000)
    .map((ids) => ({
      newest: Math.max(...ids),
      ids: ids.slice(0, MOST_MERGED),
      more: Math.max(0, ids.length - MOST_MERGED),
    }))
    .filter(({ newest }) => before === undefined || newest < before)
    .toSorted((a, b) => b.newest - a.newest);
  const shown = groups.slice(0, limit);
  const there = new Map(
    (
      await schedulesUnder(
        ownerId,
        shown.flatMap(({ ids }) => ids),
      )
    ).map((schedule) => [schedule.id, schedule]),
  );
  return {
    items: shown
      .map(({ ids, more }) => ({ schedules: ids.flatMap((id) => there.get(id) ?? []), more }))
      .filter((group) => group.schedules.length > 1), // some may have been removed just now
    next: groups.length > limit ? shown.at(-1)?.newest : undefined,
    isComplete,
  };
}

async function saidBy(ownerId: string): Promise<{ said: Said[]; isComplete: boolean }> {
  const rows = await db
    .select({ id: schedules.id, at: schedules.scheduledTime })
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.status, [...NOT_STARTED])))
    .orderBy(asc(schedules.scheduledTime), asc(schedules.id)) // those without a time come last
    .limit(MOST_COMPARED + 1);
  const said = rows.slice(0, MOST_COMPARED).map(({ id, at }): Said => {
    return { id, at: at === null ? undefined : Date.parse(at), texts: [] };
  });
  for (let from = 0; from < said.length; from += TEXTS_AT_ONCE) await readTexts(said.slice(from, from + TEXTS_AT_ONCE));
  return { said, isComplete: rows.length <= MOST_COMPARED };
}

/** Adds what these schedules say, of each text a digest; pictures without words say nothing. */
async function readTexts(some: Said[]): Promise<void> {
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
    const words = wordsOf(texts.map((content) => ({ content })));
    if (words !== "") under.get(scheduleId)?.texts.push(createHash("sha256").update(words).digest("base64"));
  }
}

/** What a schedule says, each of its texts as the rule of `lib/schedules/near-duplicates.ts` compares them. `at`: undefined for a draft without a time. */
export type Said = { id: number; at: number | undefined; texts: string[] };

/**
 * Schedules that have a text in common, directly or by way of others; pure. Each schedule is in one group at most, groups
 * and what is in them keep the order of `all`.
 * @param all the soonest first, those without a time last
 * @param withinMs how far apart two may be; however far where nothing is said. What has no time is near the soonest.
 */
export function groupsOf(all: Said[], withinMs = Number.POSITIVE_INFINITY): number[][] {
  const groupOf = new Map(all.map(({ id }) => [id, [id]]));
  const join = (one: number, other: number) => {
    const [into, from] = [groupOf.get(one) ?? [], groupOf.get(other) ?? []];
    if (into === from) return;
    into.push(...from);
    for (const id of from) groupOf.set(id, into);
  };
  const saying = new Map<string, { soonest: Said; last: Said }>();
  for (const one of all) {
    for (const text of new Set(one.texts)) {
      const others = saying.get(text);
      if (!others) saying.set(text, { soonest: one, last: one });
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
