import { sql } from "drizzle-orm";
import { dbOrTransaction } from "../../db";
import { withZulu } from "../../time/instant";
import { slotOf } from "../../time/weekly";

/** What is planned on one connected account: its posting times, and the posts that still wait for their time. */
type AccountPlan = {
  accountId: number;
  /** Null until posting times are set. */
  timeZone: string | null;
  /** Minutes since Monday 00:00 of the zone's wall clock, ascending. */
  minutes: number[];
  scheduled: number;
  /** The time of the next post; null if none waits. */
  nextTime: string | null;
};

/** Returns a plan for each of the owner's connected accounts, in one query. A failed post that is tried again counts as well. */
export async function listAccountPlans(ownerId: string): Promise<AccountPlan[]> {
  const { rows } = await dbOrTransaction.execute<AccountPlan>(sql`
    select a.id::float8 as "accountId", q.time_zone as "timeZone", coalesce(q.minutes, '{}') as minutes,
      waiting.scheduled::float8 as scheduled, waiting.next::text as "nextTime"
    from accounts a
    left join queue_slots q on q.account_id = a.id
    cross join lateral (
      select count(*) as scheduled, min(p.due_at) as next from publications p
      where p.account_id = a.id and p.due_at is not null and p.status = 'PENDING'
    ) waiting
    where a.owner_id = ${ownerId} and a.disconnected_at is null
    order by a.id`);
  return rows;
}

export function presentAccountPlan({ accountId, timeZone, minutes, scheduled, nextTime }: AccountPlan) {
  return {
    accountId,
    ...(timeZone ? { timeZone } : {}),
    slots: minutes.map(slotOf),
    scheduled,
    ...(nextTime ? { nextTime: withZulu(nextTime) } : {}),
  };
}
