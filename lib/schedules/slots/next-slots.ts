import { and, eq, gte, inArray, lt, ne, sql } from "drizzle-orm";
import { type Queue, queuesOf } from "../../accounts";
import { databaseNow, db, publications, schedules } from "../../db";
import { BadRequest } from "../../errors";
import { type Opening, openings } from "./openings";

const MINUTE_MS = 60_000;
/** How many times are looked up at once. */
const BATCH = 50;

export type SlotWish = {
  /** Of which accounts; all of the owner's where it is absent. */
  accountIds?: number[];
  /** `all`: times at which one post can go to every one of them. `any`: the free times of each. */
  match: "all" | "any";
  count: number;
  /** The instant after which to look; what is past is never given. */
  after?: Date;
};

export type NextSlots = {
  /** Those of the accounts that have slots at all. */
  queued: number[];
  /** Ascending. */
  free: Opening[];
};

/**
 * The next times of the accounts' queues at which nothing is planned for them within that minute; drafts are no plans. With
 * `all`, an account without slots of its own goes along at any time that is free for it.
 * @throws BadRequest naming the accounts that are not the owner's
 */
export async function nextSlots(ownerId: string, { accountIds, match, count, after }: SlotWish): Promise<NextSlots> {
  const queues = await queuesOf(ownerId, accountIds);
  assertAllFound(queues, accountIds ?? []);
  const ids = queues.map(({ accountId }) => accountId);
  const queued = queues.filter(({ minutes }) => minutes.length > 0);
  const from = Math.max((await databaseNow()).getTime(), after?.getTime() ?? 0);
  const free: Opening[] = [];
  for (const batch of batches(openings(queued, match, from))) {
    const taken = await takenAt(ownerId, ids, batch);
    free.push(...(match === "all" ? freeForAll(batch, taken) : freeForAny(batch, taken)));
    if (free.length >= count) break;
  }
  return { queued: queued.map(({ accountId }) => accountId), free: free.slice(0, count) };
}

function assertAllFound(queues: Queue[], wanted: number[]): void {
  const missing = wanted.filter((id) => !queues.some(({ accountId }) => accountId === id));
  if (missing.length > 0) throw new BadRequest(`accountIds is not one of this user's accounts: ${missing.join(", ")}`);
}

function* batches(all: Iterable<Opening>): Generator<Opening[]> {
  let batch: Opening[] = [];
  for (const opening of all) {
    batch.push(opening);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** By the instant of a slot, the accounts for which something is planned within its minute. */
type Taken = Map<number, number[]>;

async function takenAt(ownerId: string, accountIds: number[], batch: Opening[]): Promise<Taken> {
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
  const taken: Taken = new Map();
  for (const row of rows) taken.set(row.minute * 1000, [...(taken.get(row.minute * 1000) ?? []), row.accountId]);
  return taken;
}

function freeForAll(batch: Opening[], taken: Taken): Opening[] {
  return batch.filter(({ instant }) => !taken.has(instant));
}

function freeForAny(batch: Opening[], taken: Taken): Opening[] {
  return batch.flatMap(({ instant, accountIds }) => {
    const free = accountIds.filter((id) => !taken.get(instant)?.includes(id));
    return free.length > 0 ? [{ instant, accountIds: free }] : [];
  });
}
