import { and, eq, lt, sql } from "drizzle-orm";
import { databaseNow, db, networkQuota, type Tx } from "../db";
import { dailyLimits, dateIn, type Network, type Price } from "../networks";

/** Any number that no other advisory lock of ours uses: one call is counted at a time, over all processes. */
const COUNTING_LOCK = 9_101;
/** The holder of what was spent; of what is kept, the publication that it is kept for. */
const SPENT = "";

/** A network's day and what may be used in it, by bucket; other buckets are not counted. */
export type Day = Pick<Network, "platform"> & { date: string; now: Date; limits: Price };
/** A bucket that does not reach; `isOver`: before tomorrow it never will, whatever the others give back. */
export type Shortage = { bucket: string; isOver: boolean };
type Row = typeof networkQuota.$inferSelect;
type Own = { spent: number; kept: number };

/** Today by the network's calendar and the database's clock. */
export async function todayAt({ platform, quota }: Network): Promise<Day> {
  const now = await databaseNow();
  return { platform, date: dateIn(quota?.timeZone ?? "UTC", now), now, limits: dailyLimits({ platform, quota }) };
}

/** Counts a call, taking of what is kept for its holder first; where the rest does not reach, counts nothing and says so. */
export function spend(day: Day, price: Price, holder = SPENT): Promise<Shortage | undefined> {
  return change(day, price, holder, ({ spent, kept }, units) => ({
    spent: spent + units,
    kept: Math.max(0, kept - units),
  }));
}

/** Keeps so much for a holder, in place of what was kept for it before. */
export function keep(day: Day, price: Price, holder: string): Promise<Shortage | undefined> {
  return change(day, price, holder, ({ spent }, units) => ({ spent, kept: units }));
}

export async function giveUp({ platform }: Pick<Network, "platform">, holder: string): Promise<void> {
  await db.delete(networkQuota).where(and(eq(networkQuota.platform, platform), eq(networkQuota.holder, holder)));
}

/** Nothing is left of these buckets today, whatever was counted: the network says so. */
export async function close(day: Day, price: Price): Promise<void> {
  await inTurn(day, async (tx, rows) => {
    for (const bucket of bucketsOf(day, price)) {
      await store(tx, day, bucket, SPENT, Math.max(held(rows, bucket, SPENT), day.limits[bucket] ?? 0));
    }
  });
}

/** What was spent and is kept today, of how much, for each bucket that is counted. */
export async function usedToday(network: Network): Promise<{ bucket: string; used: number; perDay: number }[]> {
  if (Object.keys(dailyLimits(network)).length === 0) return [];
  const day = await todayAt(network);
  const rows = await db.select().from(networkQuota).where(isOf(day));
  return Object.entries(day.limits).map(([bucket, perDay]) => ({ bucket, used: total(rows, bucket), perDay }));
}

async function change(day: Day, price: Price, holder: string, changed: (before: Own, units: number) => Own) {
  return inTurn(day, async (tx, rows) => {
    const changes = bucketsOf(day, price).map((bucket) => {
      const kept = holder === SPENT ? 0 : held(rows, bucket, holder);
      const before = { spent: held(rows, bucket, SPENT), kept };
      return { bucket, before, after: changed(before, price[bucket] ?? 0) };
    });
    for (const { bucket, before, after } of changes) {
      const [now, then] = [before.spent + before.kept, after.spent + after.kept];
      const others = total(rows, bucket) - now;
      const limit = day.limits[bucket] ?? 0;
      if (then > now && others + then > limit) return { bucket, isOver: then > limit };
    }
    for (const { bucket, after } of changes) {
      await store(tx, day, bucket, SPENT, after.spent);
      if (holder !== SPENT) await store(tx, day, bucket, holder, after.kept);
    }
    return undefined;
  });
}

/** One after the other, over all processes, with what the day's rows are by then. */
async function inTurn<T>(day: Day, work: (tx: Tx, rows: Row[]) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${COUNTING_LOCK})`);
    await tx.delete(networkQuota).where(and(eq(networkQuota.platform, day.platform), lt(networkQuota.day, day.date)));
    return work(tx, await tx.select().from(networkQuota).where(isOf(day)));
  });
}

async function store(tx: Tx, { platform, date }: Day, bucket: string, holder: string, units: number): Promise<void> {
  const { platform: at, day, bucket: of, holder: by } = networkQuota;
  await tx
    .insert(networkQuota)
    .values({ platform, day: date, bucket, holder, units })
    .onConflictDoUpdate({ target: [at, day, of, by], set: { units } });
}

const isOf = ({ platform, date }: Day) => and(eq(networkQuota.platform, platform), eq(networkQuota.day, date));
const bucketsOf = ({ limits }: Day, price: Price) => Object.keys(price).filter((bucket) => bucket in limits);
const total = (rows: Row[], bucket: string) =>
  rows.reduce((sum, row) => (row.bucket === bucket ? sum + row.units : sum), 0);
const held = (rows: Row[], bucket: string, holder: string) =>
  rows.find((row) => row.bucket === bucket && row.holder === holder)?.units ?? 0;
