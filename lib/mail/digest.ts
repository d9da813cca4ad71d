import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, lte, sql } from "drizzle-orm";
import { databaseNow, dbOrTransaction, digests, type Tx, users } from "../db";
import { DIGEST_LOOP_LOCK } from "../db/locks";
import type { Loop } from "../jobs";
import { withZulu } from "../time/instant";
import { firstInstantAt, instantsAt, zoneOf } from "../time/zone";
import type { DigestFacts } from "./kinds";
import { queueMail } from "./queue";

/** A daily digest: the time of day, in minutes since 00:00 by the wall clock of a zone. */
export type Digest = { minute: number; timeZone: string };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVERY_MS = 30_000;
/** How many digests one transaction queues. */
const BATCH = 20;
/** How many posts of each kind a digest names. */
const NAMED = 5;
const KIND = "dailyDigest";

/** Returns the first time after `now` at which the wall clock shows the digest's time. A skipped time is the first instant after it. */
export function nextDigest({ minute, timeZone }: Digest, now: number): number {
  const zone = zoneOf(timeZone);
  const today = Math.floor((now + zone.offsetAt(now)) / DAY_MS) * DAY_MS;
  const times = [0, 1, 2].flatMap((days) => {
    const wall = today + days * DAY_MS + minute * MINUTE_MS;
    // A time that the clock shows twice counts the first time.
    return [instantsAt(zone, wall)[0] ?? firstInstantAt(zone, wall)];
  });
  return Math.min(...times.filter((time) => time > now));
}

/** The person's digest; null if it is off. */
export async function getDigest(userId: string): Promise<Digest | null> {
  const [row] = await dbOrTransaction
    .select({ minute: digests.minute, timeZone: digests.timeZone, muted: users.mutedMails })
    .from(digests)
    .innerJoin(users, eq(users.id, digests.ownerId))
    .where(eq(digests.ownerId, userId));
  if (!row || row.muted.includes(KIND)) return null;
  return { minute: row.minute, timeZone: row.timeZone };
}

/** Turns the digest on for a time of day, or off. */
export async function setDigest(userId: string, digest: Digest | null): Promise<void> {
  await dbOrTransaction.transaction(async (tx) => {
    if (!digest) {
      await tx.delete(digests).where(eq(digests.ownerId, userId));
      return;
    }
    const dueAt = new Date(nextDigest(digest, (await databaseNow(tx)).getTime())).toISOString();
    await tx
      .insert(digests)
      .values({ ownerId: userId, ...digest, dueAt })
      .onConflictDoUpdate({ target: digests.ownerId, set: { ...digest, dueAt } });
    await tx
      .update(users)
      .set({ mutedMails: sql`array_remove(${users.mutedMails}, ${KIND}::text)` })
      .where(eq(users.id, userId));
  });
}

/** Runs in one process of all. */
export const digestLoop: Loop = {
  name: "daily digests",
  lock: DIGEST_LOOP_LOCK,
  async turn(signal) {
    await queueDueDigests();
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

/**
 * Queues the digests that are due. The row of each is locked and gets its next time in the same transaction, so each person gets
 * one digest a day, however many processes do this.
 */
export async function queueDueDigests(): Promise<void> {
  let count: number;
  do count = await dbOrTransaction.transaction(queueSome);
  while (count === BATCH);
}

async function queueSome(tx: Tx): Promise<number> {
  const now = await databaseNow(tx);
  const due = await tx
    .select()
    .from(digests)
    .where(lte(digests.dueAt, now.toISOString()))
    .orderBy(asc(digests.dueAt))
    .limit(BATCH)
    .for("update", { skipLocked: true });
  for (const digest of due) {
    const { ownerId, dueAt } = digest;
    const facts = await factsOf(tx, digest);
    const count = facts.published.count + facts.failed.count + facts.ahead.count;
    if (count > 0) await queueMail(tx, { kind: KIND, ownerId, about: `${ownerId} ${withZulu(dueAt)}`, facts });
    const next = new Date(nextDigest(digest, now.getTime())).toISOString();
    await tx.update(digests).set({ dueAt: next }).where(eq(digests.ownerId, ownerId));
  }
  return due.length;
}

type Part = DigestFacts["published"];

/** What went out and what failed in the 24 hours before a digest, and what is scheduled for the 24 hours after it. */
async function factsOf(tx: Tx, { ownerId, dueAt, timeZone }: typeof digests.$inferSelect): Promise<DigestFacts> {
  const read = async (statuses: string, from: number, to: number): Promise<Part> => {
    const { rows } = await tx.execute<Part>(sql`
      with chosen as materialized (
        select id, scheduled_time from schedules
        where owner_id = ${ownerId} and status = any(${statuses}::text[])
          and scheduled_time >= ${dueAt}::timestamptz + make_interval(days => ${from}::int)
          and scheduled_time < ${dueAt}::timestamptz + make_interval(days => ${to}::int)
      )
      select (select count(*)::int from chosen) as count, coalesce((
        select json_agg(json_build_object('scheduleId', id, 'time', to_char(scheduled_time at time zone ${timeZone}, 'HH24:MI'),
          'text', coalesce((select left(q.content, 200) from publications p join posts q on q.publication_id = p.id
            where p.schedule_id = first.id order by p.position, q.position limit 1), '')) order by scheduled_time)
        from (select * from chosen order by scheduled_time limit ${NAMED}) first), '[]') as posts`);
    return rows[0] ?? { count: 0, posts: [] };
  };
  return {
    published: await read("{COMPLETED}", -1, 0),
    failed: await read("{FAILED,PARTIALLY_COMPLETED,MEDIA_IMPORT_FAILED}", -1, 0),
    ahead: await read("{SCHEDULED,AWAITING_MEDIA}", 0, 1),
  };
}
