import { sql } from "drizzle-orm";
import { dbOrTransaction } from "../../db";
import { PUBLICATION_PICK_LOCK } from "../../db/locks";
import { statement, value } from "../../db/statement";
import type { Worker } from "../../jobs";
import { allNetworks, concurrencyOf } from "../../networks";
import { isOwnerActive } from "../../users";
import { type Claim, claimingStatement } from "./claim";

/** Pause while a due publication cannot start: another process is picking, its row is locked or its network is closed. */
const BLOCKED_PAUSE_MS = 100;
const MAX_PAUSE_MS = 50;

/** Milliseconds until the next publication is due, and for how long the newest due publication has been due. */
type Outlook = { idleMs: number; newestMs?: number };

/** After a slow look, pauses for as long as the look took (up to a limit), so that other processes get the database. */
export const pauseAfter = (lookMs: number) => Math.min(MAX_PAUSE_MS, lookMs);

/**
 * Returns the milliseconds until the next look, after a look that claimed nothing. A publication that became due during
 * that look was missed by it and is not blocked, so the next look comes soon.
 */
export function msUntilNextLook({ idleMs, newestMs }: Outlook, lookMs: number): number {
  if (newestMs === undefined) return idleMs;
  return Math.min(idleMs, newestMs < lookMs ? pauseAfter(lookMs) : BLOCKED_PAUSE_MS);
}

/** The claims of a worker without a heartbeat for this long no longer count. */
const SILENT_SECONDS = 15;

/** After this many claims without progress, a publication is suspected of crashing its worker. */
const SUSPECT_CLAIMS = 2;

const suspicious = sql.raw(String(SUSPECT_CLAIMS));
const pickingLock = sql.raw(String(PUBLICATION_PICK_LOCK));
const silent = sql.raw(`interval '${SILENT_SECONDS} seconds'`);

/**
 * Selects the ids of the publications to claim next, fairly: every owner's first publication comes before any owner's second,
 * counting those that run in this process, and an account's publications go in order of their time. The network's definition
 * sets how many may run at once per network, owner and account. Owners who are suspended or being deleted take no turns. A network in trouble gets fewer or none, and so does an
 * account that has to wait. A publication that was claimed twice without progress may crash its worker, so a process takes
 * only one of those at a time: a crash then cannot use up the last claim of another one.
 */
const turns = sql`
    with room as (
      select * from jsonb_to_recordset(${value("room", "jsonb")})
        as r(platform text, free int, "perOwner" int, "perAccount" int)
    ), busy as (
      select * from jsonb_to_recordset(${value("busy", "jsonb")}) as b(platform text, owner uuid, n int)
    ), claimed as materialized (
      select a.platform, a.id, count(*) as n from publications l
        join workers w on w.id = l.claim_worker and w.heartbeat_at > now() - ${silent}
        join accounts a on a.id = l.account_id
      where l.claim_worker is not null and l.claim_until > now() group by 1, 2
    ), open as (
      select r.platform, "perOwner", "perAccount", case when h.closed_until > now() then 0 else least(free, h.allowance -
        (select coalesce(sum(n), 0) from claimed where claimed.platform = r.platform)) end as free
      from room r left join network_health h on h.platform = r.platform
      where pg_try_advisory_xact_lock(${pickingLock})
    ), waiting as materialized (
      select account_id from publications where due_at <= now() group by account_id
    ), turns as (
      select d.id, d.due_at, a.platform, open.free, open."perOwner",
        d.claims, row_number() over (partition by a.platform, a.owner_id order by d.due_at, d.id) + coalesce(busy.n, 0) as turn
      from waiting join accounts a on a.id = waiting.account_id
        join users u on u.id = a.owner_id and ${isOwnerActive}
        join open on open.platform = a.platform and open.free > 0
        left join busy on busy.platform = a.platform and busy.owner = a.owner_id
        left join claimed on claimed.id = a.id
        cross join lateral (
          select p.id, p.due_at, p.claims from publications p
          where p.account_id = a.id and p.due_at <= now() and coalesce(p.claim_until < now(), true)
          order by p.due_at, p.id limit greatest(open."perAccount" - coalesce(claimed.n, 0), 0)
        ) d
      where coalesce(a.wait_until < now(), true)
    ), apart as (
      select *, claims >= ${suspicious} as suspect,
        row_number() over (partition by claims >= ${suspicious} order by due_at, id) as rank
      from turns where turn <= "perOwner"
    ), places as (
      select *, row_number() over (partition by platform order by turn, due_at, id) as place
      from apart where not suspect or rank <= ${value("suspects", "int")}
    )
    select id from places where place <= free`;

const claimTurns = claimingStatement<{ room: string; busy: string; suspects: number }>(
  "publications.take-turns",
  turns,
);

/**
 * Claims the next due publications, fairly across owners.
 * @param running the claims that this process works on
 */
export function claimDue(worker: Worker, running: Claim[]): Promise<Claim[]> {
  const { room, busy } = currentLoad(running);
  // `claims` includes the current claim.
  const suspects = running.some(({ claims }) => claims > SUSPECT_CLAIMS) ? 0 : 1;
  return claimTurns(worker, { room: JSON.stringify(room), busy: JSON.stringify(busy), suspects });
}

/** Returns how many more publications of each network this process can take, and how many of each owner it has. */
function currentLoad(running: Claim[]) {
  const room = allNetworks().map((network) => {
    const { slots, perOwner, perAccount } = concurrencyOf(network);
    const here = running.filter(({ account }) => account.platform === network.platform).length;
    return { platform: network.platform, free: slots - here, perOwner, perAccount };
  });
  const counts = new Map<string, { platform: string; owner: string; n: number }>();
  for (const { account, ownerId } of running) {
    const key = `${account.platform} ${ownerId}`;
    counts.set(key, { platform: account.platform, owner: ownerId, n: (counts.get(key)?.n ?? 0) + 1 });
  }
  return { room, busy: [...counts.values()] };
}

const nextDue = statement<Record<never, never>, { next: number | null; newest: number | null }>(
  "publications.next-due",
  sql`
  select (select extract(epoch from due_at - clock_timestamp()) * 1000 from publications
      where due_at > now() order by due_at limit 1)::float8 as next,
    (select extract(epoch from now() - due_at) * 1000 from publications
      where due_at <= now() order by due_at desc limit 1)::float8 as newest`,
);

/** Reads when the next publication is due (at most a second ahead) and how long the newest due one has been due. */
export async function readOutlook(): Promise<Outlook> {
  const [{ next, newest } = { next: null, newest: null }] = await nextDue(dbOrTransaction, {});
  return { idleMs: Math.max(0, Math.min(1_000, next ?? 1_000)), newestMs: newest ?? undefined };
}
