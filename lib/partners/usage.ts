import { and, count, eq, isNull, sql } from "drizzle-orm";
import { accounts, db, partnerCalls, users } from "../db";
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

/**
 * A partner's posts whose time was on one day (`2026-11-28`, in UTC). A post counts once for each account. Posts that are not out
 * yet are not included, nor are deleted ones.
 */
export type UsageDay = { day: string; published: number; failed: number; unknown: number };

const USAGE_DAYS = 30;

/** The last 30 days, oldest first; the last one is today. */
export async function listPartnerDays(partnerId: string): Promise<UsageDay[]> {
  const { rows } = await db.execute<UsageDay>(sql`
    with days as (
      select (now() at time zone 'UTC')::date - ago as day from generate_series(0, ${USAGE_DAYS - 1}::int) as ago),
    counted as (
      select (s.scheduled_time at time zone 'UTC')::date as day,
        count(*) filter (where p.status = 'PUBLISHED')::int as published,
        count(*) filter (where p.status = 'FAILED')::int as failed,
        count(*) filter (where p.status = 'UNKNOWN')::int as unknown
      from users u
      join schedules s on s.owner_id = u.id and s.scheduled_time >= (select min(day) from days)::timestamp at time zone 'UTC'
        and s.scheduled_time < ((select max(day) from days) + 1)::timestamp at time zone 'UTC'
      join publications p on p.schedule_id = s.id
      where u.partner_id = ${partnerId} group by 1)
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(published, 0) as published, coalesce(failed, 0) as failed,
      coalesce(unknown, 0) as unknown
    from days left join counted using (day) order by day`);
  return rows;
}

/** The number of a partner's accounts that need reconnecting. */
export async function countAccountsToReconnect(partnerId: string): Promise<number> {
  const toReconnect = and(eq(accounts.state, "RECONNECT_REQUIRED"), isNull(accounts.disconnectedAt));
  const [row] = await db
    .select({ count: count() })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.ownerId))
    .where(and(toReconnect, eq(users.partnerId, partnerId)));
  return row?.count ?? 0;
}
