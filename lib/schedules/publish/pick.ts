import { sql } from "drizzle-orm";
import { db } from "../../db";
import { statement, value } from "../../db/statement";
import type { Worker } from "../../jobs";
import { allNetworks, paceOf } from "../../networks";
import { type Claim, taking } from "./claim";

/** Something is due that may not start yet: another process is just picking, a row is locked, a network is closed. */
const WAITING_MS = 100;
const LONGEST_REST_MS = 50;

/** What a look that took nothing sees ahead: until the next publication is due, and since when the newest of those due has been. */
type Outlook = { idleMs: number; newestMs?: number };

/** A look that took long, because much is due, leaves the database to others for as long, up to a limit. */
export const restAfter = (lookMs: number) => Math.min(LONGEST_REST_MS, lookMs);

/**
 * How long after a look that took nothing the next one begins. What became due while this one was under way came too late
 * for it: it does not wait for a place, it is next.
 */
export function untilNextLook({ idleMs, newestMs }: Outlook, lookMs: number): number {
  if (newestMs === undefined) return idleMs;
  return Math.min(idleMs, newestMs < lookMs ? restAfter(lookMs) : WAITING_MS);
}

/** Any number that no other advisory lock of ours uses: one process picks at a time, so that caps hold over all of them. */
const PICKING_LOCK = 9_100;
/** A worker that has been silent for so long no longer keeps others from its accounts. */
const SILENT_SECONDS = 15;

/** Claims without progress after which a publication may be what ends its worker. */
const SUSPICIOUS_CLAIMS = 2;

const suspicious = sql.raw(String(SUSPICIOUS_CLAIMS));
const pickingLock = sql.raw(String(PICKING_LOCK));
const silent = sql.raw(`interval '${SILENT_SECONDS} seconds'`);

/**
 * The ids of the publications whose turn it is. Every owner's first comes before anybody's second, counting what
 * is running here; an account's own go in the order of their time. What a network, an owner and an account may have at once
 * is the network's own data; a network in trouble, and an account that was told to wait, get less or nothing. What was
 * claimed twice and got nowhere may be what ended its worker: of those a process takes one at a time, so that it ends
 * nobody else's third and last try.
 */
const turns = sql`
    with room as (
      select * from jsonb_to_recordset(${value("room", "jsonb")})
        as r(platform text, free int, "perOwner" int, "perAccount" int)
    ), busy as (
      select * from jsonb_to_recordset(${value("busy", "jsonb")}) as b(platform text, owner uuid, n int)
    ), leased as materialized (
      select a.platform, a.id, count(*) as n from publications l
        join workers w on w.id = l.claim_worker and w.heartbeat_at > now() - ${silent}
        join accounts a on a.id = l.account_id
      where l.claim_worker is not null and l.claim_until > now() group by 1, 2
    ), open as (
      select r.platform, "perOwner", "perAccount", case when h.closed_until > now() then 0 else least(free, h.allowance -
        (select coalesce(sum(n), 0) from leased where leased.platform = r.platform)) end as free
      from room r left join network_health h on h.platform = r.platform
      where pg_try_advisory_xact_lock(${pickingLock})
    ), waiting as materialized (
      select account_id from publications where due_at <= now() group by account_id
    ), turns as (
      select d.id, d.due_at, a.platform, open.free, open."perOwner",
        d.claims, row_number() over (partition by a.platform, a.owner_id order by d.due_at, d.id) + coalesce(busy.n, 0) as turn
      from waiting join accounts a on a.id = waiting.account_id
        join open on open.platform = a.platform and open.free > 0
        left join busy on busy.platform = a.platform and busy.owner = a.owner_id
        left join leased on leased.id = a.id
        cross join lateral (
          select p.id, p.due_at, p.claims from publications p
          where p.account_id = a.id and p.due_at <= now() and coalesce(p.claim_until < now(), true)
          order by p.due_at, p.id limit greatest(open."perAccount" - coalesce(leased.n, 0), 0)
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

const takeTurns = taking<{ room: string; busy: string; suspects: number }>("publications.take-turns", turns);

/** Takes the publications whose turn it is. @param running what this process has already */
export function takeDue(worker: Worker, running: Claim[]): Promise<Claim[]> {
  const { room, busy } = standing(running);
  // A claim counts itself.
  const suspects = running.some(({ claims }) => claims > SUSPICIOUS_CLAIMS) ? 0 : 1;
  return takeTurns(worker, { room: JSON.stringify(room), busy: JSON.stringify(busy), suspects });
}

/** What this process could still take of each network, and what it has of each owner. */
function standing(running: Claim[]) {
  const room = allNetworks().map((network) => {
    const { slots, perOwner, perAccount } = paceOf(network);
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

/** How long nothing more will be due (a second at most), and since when the newest of what is due has been so, if anything is. */
export async function outlook(): Promise<Outlook> {
  const [{ next, newest } = { next: null, newest: null }] = await nextDue(db, {});
  return { idleMs: Math.max(0, Math.min(1_000, next ?? 1_000)), newestMs: newest ?? undefined };
}
