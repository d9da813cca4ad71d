import { and, count, eq, isNull, type SQL, sql } from "drizzle-orm";
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
  const inMonth = (time: SQL) => sql`date_trunc('month', ${time} at time zone 'UTC')`;
  const { rows } = await db.execute<UsageMonth>(sql`
    with months as (
      select generate_series(${inMonth(sql`now()`)} - make_interval(months => ${months - 1}), ${inMonth(sql`now()`)},
        interval '1 month') as month),
    first as (select min(month) at time zone 'UTC' as time from months),
    provisioned as (
      select ${inMonth(sql`created_at`)} as month, count(*) from users
      where partner_id = ${partnerId} and created_at >= (select time from first) group by 1),
    connected as (
      select ${inMonth(sql`a.created_at`)} as month, count(*) from users u join accounts a on a.owner_id = u.id
      where u.partner_id = ${partnerId} and a.created_at >= (select time from first) group by 1),
    written as (
      select ${inMonth(sql`s.created_at`)} as month, count(*) from users u join schedules s on s.owner_id = u.id
      join publications p on p.schedule_id = s.id join posts on posts.publication_id = p.id
      where u.partner_id = ${partnerId} and s.created_at >= (select time from first) group by 1)
    select to_char(months.month, 'YYYY-MM') as month, coalesce(provisioned.count, 0)::int as users,
      coalesce(connected.count, 0)::int as accounts,
      (coalesce(written.count, 0) + coalesce(c.deleted_posts, 0))::int as posts, coalesce(c.calls, 0)::float8 as calls
    from months left join provisioned using (month) left join connected using (month) left join written using (month)
    left join partner_calls c on c.partner_id = ${partnerId} and c.month = months.month::date
    order by months.month desc`);
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
