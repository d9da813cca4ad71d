import { sql } from "drizzle-orm";
import { db, dbOrTransaction } from "../../db";
import type { Platform } from "../../platforms";
import { isOwnerActive } from "../../users";

/** A publication that a worker could claim and did not claim for this long is overdue. */
const OVERDUE_SECONDS = 60;

export type Overdue = { platform: Platform; count: number; oldestSeconds: number };

/**
 * Returns how many publications of each network a worker should have claimed long ago. Does not count those that have a reason
 * to wait: the owner is suspended or being deleted, the account is held or was told to wait, or the network is closed.
 */
export async function listOverdue(): Promise<Overdue[]> {
  const { rows } = await dbOrTransaction.execute<Overdue>(sql`
    select a.platform, count(*)::int as count, extract(epoch from now() - min(p.due_at))::int as "oldestSeconds"
    from publications p
      join accounts a on a.id = p.account_id and a.held_since is null and coalesce(a.wait_until < now(), true)
      join users u on u.id = a.owner_id and ${isOwnerActive}
      left join network_health h on h.platform = a.platform
    where p.due_at < now() - make_interval(secs => ${OVERDUE_SECONDS})
      and coalesce(p.claim_until < now(), true) and coalesce(h.closed_until < now(), true)
    group by a.platform order by a.platform`);
  return rows;
}

export type ClosedNetwork = { platform: Platform; untilTime: string };

/** Returns the networks that get no publications for now, because too many calls in a row failed. */
export async function listClosedNetworks(): Promise<ClosedNetwork[]> {
  const { rows } = await db.execute<{ platform: Platform; until: string }>(
    sql`select platform, closed_until::text as until from network_health where closed_until > now() order by platform`,
  );
  return rows.map(({ platform, until }) => ({ platform, untilTime: new Date(until).toISOString() }));
}
