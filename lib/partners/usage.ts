import { sql } from "drizzle-orm";
import { db, partnerCalls } from "../db";
import { perProcess } from "../db/per-process";
import { writeLater } from "../db/write-later";

const FLUSH_EVERY_MS = 5_000;

const counts = perProcess("connect.calls", () => new Map<string, number>());
const writer = writeLater("the API call counts of partners", FLUSH_EVERY_MS, writeCounts);

/** Counts one API call of a partner. Counts are added up in this process and written every few seconds. */
export function countPartnerCall(partnerId: string): void {
  counts.set(partnerId, (counts.get(partnerId) ?? 0) + 1);
  writer.request();
}

/** Writes the calls counted since the last flush to the database. */
export const flushPartnerCalls = writer.flush;

async function writeCounts(): Promise<void> {
  const counted = [...counts];
  counts.clear();
  if (counted.length === 0) return;
  const month = sql`date_trunc('month', now() at time zone 'UTC')::date`;
  await db
    .insert(partnerCalls)
    .values(counted.map(([partnerId, calls]) => ({ partnerId, month, calls })))
    .onConflictDoUpdate({
      target: [partnerCalls.partnerId, partnerCalls.month],
      set: { calls: sql`${partnerCalls.calls} + excluded.calls` },
    });
}

/**
 * A partner's usage in one month (`2026-11`, in UTC). Counts existing rows, so deleted users and accounts are not included. Posts
 * that Carillon deleted because of their age are.
 */
export type UsageMonth = { month: string; users: number; accounts: number; posts: number; calls: number };

/** The last months, newest first: users provisioned, accounts first connected, posts created and API calls. */
export async function listPartnerUsage(partnerId: string, months = 6): Promise<UsageMonth[]> {
  const { rows } = await db.execute<UsageMonth>(sql`
    with months as (
      select generate_series(
        date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${months - 1}),
        date_trunc('month', now() at time zone 'UTC'), interval '1 month') as month),
    mine as (select id, created_at from users where partner_id = ${partnerId}),
    connected as (select created_at from accounts where owner_id in (select id from mine)),
    written as (
      select s.created_at from schedules s
      join publications p on p.schedule_id = s.id join posts on posts.publication_id = p.id
      where s.owner_id in (select id from mine))
    select to_char(month, 'YYYY-MM') as month,
      (select count(*)::int from mine where date_trunc('month', created_at at time zone 'UTC') = month) as users,
      (select count(*)::int from connected where date_trunc('month', created_at at time zone 'UTC') = month) as accounts,
      (select count(*)::int from written where date_trunc('month', created_at at time zone 'UTC') = month)
        + coalesce((select deleted_posts::int from partner_calls c
          where c.partner_id = ${partnerId} and c.month = months.month::date), 0) as posts,
      coalesce((select calls::float8 from partner_calls c
        where c.partner_id = ${partnerId} and c.month = months.month::date), 0) as calls
    from months order by month desc`);
  return rows;
}
