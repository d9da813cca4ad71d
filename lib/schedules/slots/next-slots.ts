import { and, eq, gte, inArray, lt, ne, sql } from "drizzle-orm";
import { listQueues, type Queue } from "../../accounts";
import { databaseNow, db, publications, schedules } from "../../db";
import { BadRequest } from "../../errors";
import { withZulu } from "../../time/instant";
import { weekly } from "../../time/weekly";
import { type Zone, zoneOf } from "../../time/zone";

const MINUTE_MS = 60_000;
/** How many times are checked with one query. */
const BATCH_SIZE = 50;

export type NextSlotsQuery = {
  /** The accounts to consider; all of the owner's if absent. */
  accountIds?: number[];
  /** `all`: times that are free for every account. `any`: times that are free for at least one account. */
  match: "all" | "any";
  count: number;
  /** Returns only times after this instant, and never times in the past. */
  after?: Date;
};

export type NextSlots = {
  /** The accounts that have slots. */
  queued: number[];
  /** Ascending. */
  free: QueueOpening[];
};

/**
 * Returns the next times of the accounts' queues that are free: no schedule for the account has the same minute. Drafts do not
 * count. With `all`, an account without slots accepts any time that is free for it.
 * @throws BadRequest that names the accounts that are not the owner's
 */
export async function nextSlots(
  ownerId: string,
  { accountIds, match, count, after }: NextSlotsQuery,
): Promise<NextSlots> {
  const queues = await listQueues(ownerId, accountIds);
  assertAllFound(queues, accountIds ?? []);
  const ids = queues.map(({ accountId }) => accountId);
  const queued = queues.filter(({ minutes }) => minutes.length > 0);
  const from = Math.max((await databaseNow()).getTime(), after?.getTime() ?? 0);
  const free: QueueOpening[] = [];
  for (const batch of batches(openings(queued, match, from))) {
    const taken = await readTakenSlots(ownerId, ids, batch);
    free.push(...(match === "all" ? freeForAll(batch, taken) : freeForAny(batch, taken)));
    if (free.length >= count) break;
  }
  return { queued: queued.map(({ accountId }) => accountId), free: free.slice(0, count) };
}

function assertAllFound(queues: Queue[], wanted: number[]): void {
  const missing = wanted.filter((id) => !queues.some(({ accountId }) => accountId === id));
  if (missing.length > 0)
    throw new BadRequest(`accountIds contains ids that are not accounts of this user: ${missing.join(", ")}`);
}

function* batches(all: Iterable<QueueOpening>): Generator<QueueOpening[]> {
  let batch: QueueOpening[] = [];
  for (const opening of all) {
    batch.push(opening);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The accounts with a schedule in the same minute, by the instant of the slot. */
type TakenSlots = Map<number, number[]>;

async function readTakenSlots(ownerId: string, accountIds: number[], batch: QueueOpening[]): Promise<TakenSlots> {
  const [first = 0, last = first] = [batch[0]?.instant, batch.at(-1)?.instant];
  const times = batch.map(({ instant }) => new Date(instant).toISOString());
  const minute = sql<string>`date_trunc('minute', ${schedules.scheduledTime})`;
  const rows = await db
    .selectDistinct({ accountId: publications.accountId, minute: sql<number>`extract(epoch from ${minute})::float8` })
    .from(schedules)
    .innerJoin(publications, eq(publications.scheduleId, schedules.id))
    .where(
      and(
        eq(schedules.ownerId, ownerId),
        gte(schedules.scheduledTime, new Date(first).toISOString()),
        lt(schedules.scheduledTime, new Date(last + MINUTE_MS).toISOString()),
        sql`${minute} = any(${sql.param(times)}::timestamptz[])`,
        ne(schedules.status, "DRAFT"),
        inArray(publications.accountId, accountIds),
      ),
    );
  const taken: TakenSlots = new Map();
  for (const row of rows) taken.set(row.minute * 1000, [...(taken.get(row.minute * 1000) ?? []), row.accountId]);
  return taken;
}

function freeForAll(batch: QueueOpening[], taken: TakenSlots): QueueOpening[] {
  return batch.filter(({ instant }) => !taken.has(instant));
}

function freeForAny(batch: QueueOpening[], taken: TakenSlots): QueueOpening[] {
  return batch.flatMap(({ instant, accountIds }) => {
    const free = accountIds.filter((id) => !taken.get(instant)?.includes(id));
    return free.length > 0 ? [{ instant, accountIds: free }] : [];
  });
}

/** Presents the free times, each with the accounts that it is free for. */
export function presentNextSlots({ queued, free }: NextSlots) {
  const items = free.map(({ instant, accountIds }) => ({
    time: withZulu(new Date(instant).toISOString()),
    accountIds,
  }));
  return { accountIds: queued, items };
}

/** A time, and the accounts whose queues contain it. */
type QueueOpening = { instant: number; accountIds: number[] };

const WEEK_MS = 7 * 86_400_000;
/** Queues are searched for about a year ahead. */
const WEEKS_AHEAD = 53;

/**
 * Yields the times of several queues in ascending order, each time once: with `any` the times of at least one queue, with `all`
 * the times that every queue has. Ends after a year.
 */
export function* openings(queues: Queue[], match: "all" | "any", after: number): Generator<QueueOpening, void> {
  const zones = new Map<string, Zone>();
  const weeks = queues.flatMap(({ accountId, timeZone, minutes }) => {
    if (timeZone === null || minutes.length === 0) return [];
    const zone = zones.get(timeZone) ?? zoneOf(timeZone);
    zones.set(timeZone, zone);
    return [{ accountId, zone, minutes }];
  });
  for (let week = 0; week < WEEKS_AHEAD; week++) {
    const from = after + week * WEEK_MS;
    yield* match === "all" ? sharedOpenings(weeks, from) : mergedOpenings(weeks, from);
  }
}

type Week = { accountId: number; zone: Zone; minutes: number[] };

/** Returns the times that all queues have in the week after an instant. */
function sharedOpenings(weeks: Week[], from: number): QueueOpening[] {
  const accountIds = weeks.map(({ accountId }) => accountId);
  const [first, ...others] = weeks.toSorted((a, b) => a.minutes.length - b.minutes.length);
  let instants = first ? weekTimes(first, from) : [];
  for (const other of others) {
    if (instants.length === 0) return [];
    const theirs = new Set(weekTimes(other, from));
    instants = instants.filter((instant) => theirs.has(instant));
  }
  return instants.map((instant) => ({ instant, accountIds }));
}

function mergedOpenings(weeks: Week[], from: number): QueueOpening[] {
  const byInstant = new Map<number, number[]>();
  for (const week of weeks) {
    for (const instant of weekTimes(week, from)) {
      const ids = byInstant.get(instant);
      if (ids) ids.push(week.accountId);
      else byInstant.set(instant, [week.accountId]);
    }
  }
  return [...byInstant].map(([instant, accountIds]) => ({ instant, accountIds })).sort((a, b) => a.instant - b.instant);
}

/** Returns the times after `from`, up to and including the instant one week later. */
function weekTimes({ zone, minutes }: Week, from: number): number[] {
  const times: number[] = [];
  for (const instant of weekly(zone, minutes, from)) {
    if (instant > from + WEEK_MS) break;
    times.push(instant);
  }
  return times;
}
