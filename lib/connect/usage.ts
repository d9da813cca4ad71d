import { sql } from "drizzle-orm";
import { db } from "../db";

/** What a partner did in a month (`2026-11`, in UTC), counted in the rows that are there; whoever is deleted no longer counts. */
export type UsageMonth = { month: string; users: number; accounts: number; posts: number; calls: number };

/** The last months, newest first: users provisioned, accounts connected for the first time, posts asked for, calls of the API. */
export async function usageOf(partnerId: string, months = 6): Promise<UsageMonth[]> {
  const { rows } = await db.execute<UsageMonth>(sql`
    with months as (
      select generate_series(
        date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${months - 1}),
        date_trunc('month', now() at time zone 'UTC'), interval '1 month') as month),
    mine as (select id, created_at from users where partner_id = ${partnerId} and rehearses is null),
    connected as (select created_at from accounts where owner_id in (select id from mine)),
    written as (
      select s.created_at from schedules s
      join publications p on p.schedule_id = s.id join posts on posts.publication_id = p.id
      where s.owner_id in (select id from mine))
    select to_char(month, 'YYYY-MM') as month,
      (select count(*)::int from mine where date_trunc('month', created_at at time zone 'UTC') = month) as users,
      (select count(*)::int from connected where date_trunc('month', created_at at time zone 'UTC') = month) as accounts,
      (select count(*)::int from written where date_trunc('month', created_at at time zone 'UTC') = month) as posts,
      coalesce((select calls::float8 from partner_calls c
        where c.partner_id = ${partnerId} and c.month = months.month::date), 0) as calls
    from months order by month desc`);
  return rows;
}
