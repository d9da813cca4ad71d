import { and, eq, lt, sql } from "drizzle-orm";
import { databaseNow, db, networkQuota, type Tx } from "../db";
import { QUOTA_COUNT_LOCK } from "../db/locks";
import { log } from "../log";
import {
  dailyLimits,
  dateIn,
  type Network,
  type NetworkSession,
  PlatformError,
  type Price,
  priceOf,
  untilMidnight,
} from "../networks";

/** `reserved_for` of units that were spent; a reservation has its publication there. */
const SPENT = "";

/** A network's calendar day and its limits by bucket. Buckets without a limit are not counted. */
type Day = Pick<Network, "platform"> & { date: string; now: Date; limits: Price };
/** A bucket without enough units. `isOver`: even if all reservations were released, it would not suffice today. */
type Shortage = { bucket: string; isOver: boolean };
type Row = typeof networkQuota.$inferSelect;
type Own = { spent: number; kept: number };

/** The current day in the network's time zone, by the database's clock. */
async function quotaDay({ platform, quota }: Network): Promise<Day> {
  const now = await databaseNow();
  return { platform, date: dateIn(quota?.timeZone ?? "UTC", now), now, limits: dailyLimits({ platform, quota }) };
}

/** Counts a call, using its holder's reservation first. If the quota does not suffice, counts nothing and returns the shortage. */
function spendQuota(day: Day, price: Price, holder = SPENT): Promise<Shortage | undefined> {
  return changeQuota(day, price, holder, ({ spent, kept }, units) => ({
    spent: spent + units,
    kept: Math.max(0, kept - units),
  }));
}

/** Reserves units for a holder, replacing its earlier reservation. */
function reserveQuota(day: Day, price: Price, holder: string): Promise<Shortage | undefined> {
  return changeQuota(day, price, holder, ({ spent }, units) => ({ spent, kept: units }));
}

async function releaseQuota({ platform }: Pick<Network, "platform">, holder: string): Promise<void> {
  await db.delete(networkQuota).where(and(eq(networkQuota.platform, platform), eq(networkQuota.reservedFor, holder)));
}

/** Marks these buckets as used up for today, because the network reported it. */
async function exhaustQuota(day: Day, price: Price): Promise<void> {
  await withQuotaLock(day, async (tx, rows) => {
    for (const bucket of bucketsOf(day, price)) {
      await store(tx, day, bucket, SPENT, Math.max(unitsOf(rows, bucket, SPENT), day.limits[bucket] ?? 0));
    }
  });
}

/** The units spent and reserved today and the daily limit, for each bucket with a limit. */
export async function listQuotaUse(network: Network): Promise<{ bucket: string; used: number; perDay: number }[]> {
  if (Object.keys(dailyLimits(network)).length === 0) return [];
  const day = await quotaDay(network);
  const rows = await db.select().from(networkQuota).where(isOf(day));
  return Object.entries(day.limits).map(([bucket, perDay]) => ({ bucket, used: total(rows, bucket), perDay }));
}

async function changeQuota(day: Day, price: Price, holder: string, changed: (before: Own, units: number) => Own) {
  return withQuotaLock(day, async (tx, rows) => {
    const changes = bucketsOf(day, price).map((bucket) => {
      const kept = holder === SPENT ? 0 : unitsOf(rows, bucket, holder);
      const before = { spent: unitsOf(rows, bucket, SPENT), kept };
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

/** Runs `work` with the day's rows, one at a time across all processes. */
async function withQuotaLock<T>(day: Day, work: (tx: Tx, rows: Row[]) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${QUOTA_COUNT_LOCK})`);
    await tx.delete(networkQuota).where(and(eq(networkQuota.platform, day.platform), lt(networkQuota.day, day.date)));
    return work(tx, await tx.select().from(networkQuota).where(isOf(day)));
  });
}

async function store(tx: Tx, { platform, date }: Day, bucket: string, holder: string, units: number): Promise<void> {
  const { platform: at, day, bucket: of, reservedFor: by } = networkQuota;
  await tx
    .insert(networkQuota)
    .values({ platform, day: date, bucket, reservedFor: holder, units })
    .onConflictDoUpdate({ target: [at, day, of, by], set: { units } });
}

const isOf = ({ platform, date }: Day) => and(eq(networkQuota.platform, platform), eq(networkQuota.day, date));
const bucketsOf = ({ limits }: Day, price: Price) => Object.keys(price).filter((bucket) => bucket in limits);
const total = (rows: Row[], bucket: string) =>
  rows.reduce((sum, row) => (row.bucket === bucket ? sum + row.units : sum), 0);
const unitsOf = (rows: Row[], bucket: string, holder: string) =>
  rows.find((row) => row.bucket === bucket && row.reservedFor === holder)?.units ?? 0;

/** The network's clock may differ from ours. */
const MARGIN_SECONDS = 60;
/** Spreads the calls that waited for the new day. */
const SPREAD_SECONDS = 300;
/** How long to wait for other publications' reservations, which may be released. */
const KEPT_SECONDS = 300;

/**
 * A session that counts each call before it is sent, across all processes, if the network has a daily quota. A call that
 * exceeds the quota is not sent. If the network reports that the quota is used up, nothing more is sent that day.
 * @param holder a publication that may reserve units
 */
export function withQuotaCounting(session: NetworkSession, network: Network, holder?: string): NetworkSession {
  const { quota } = network;
  const limits = dailyLimits(network);
  if (!quota || Object.keys(limits).length === 0) return session;
  return {
    ...session,
    async fetch(path, call) {
      const price = priceOf(quota, path, call?.method);
      if (!Object.keys(price).some((bucket) => bucket in limits)) return session.fetch(path, call);
      const day = await quotaDay(network);
      const shortage = await spendQuota(day, price, holder);
      if (shortage) throw quotaError(network, day, shortage);
      try {
        return await session.fetch(path, call);
      } catch (error) {
        if (error instanceof PlatformError && quota.isUsedUp(error)) {
          warn(network, day, Object.keys(price).join(", "), "the network reports that the daily quota is used up");
          await exhaustQuota(day, price);
        }
        throw error;
      }
    },
    quota: holder
      ? {
          async reserve(price) {
            const day = await quotaDay(network);
            const shortage = await reserveQuota(day, price, holder);
            if (shortage) throw quotaError(network, day, shortage);
          },
          release: () => releaseQuota(network, holder),
        }
      : session.quota,
  };
}

/** Waiting does not count as a failed attempt; the wait ends at midnight in the network's time zone. */
function quotaError(network: Network, day: Day, { bucket, isOver }: Shortage): PlatformError {
  if (!isOver) {
    const says = `The rest of today's quota at ${network.name} is reserved for posts that are being published`;
    return new PlatformError("later", says, { retryAfterSeconds: KEPT_SECONDS });
  }
  warn(network, day, bucket, "the daily quota is used up, so calls wait for the next day");
  const midnight = untilMidnight(network.quota?.timeZone ?? "UTC", day.now);
  const retryAfterSeconds = midnight + MARGIN_SECONDS + Math.random() * SPREAD_SECONDS;
  const { message = "", fix } = network.quota ?? {};
  return new PlatformError("operator", message, { retryAfterSeconds, isWaitStated: true, fix });
}

const warned = new Set<string>();

/** Logs each warning once a day per process. */
function warn({ platform }: Network, { date, limits }: Day, bucket: string, says: string): void {
  const key = [platform, bucket, says, date].join(" ");
  if (warned.has(key)) return;
  warned.add(key);
  log.warn({ platform, bucket, day: date, perDay: limits[bucket] }, says);
}
