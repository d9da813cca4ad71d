import { type SQL, sql } from "drizzle-orm";
import { dbOrTransaction } from "../../db";
import { isPublishingOpen } from "../../db/installation";
import { PUBLICATION_PICK_LOCK_CLASS } from "../../db/locks";
import { statement, value } from "../../db/statement";
import type { Worker } from "../../jobs";
import { allNetworks, concurrencyOf } from "../../networks";
import type { Platform } from "../../platforms";
import { isOwnerActive } from "../../users";
import { type Claim, claimingStatement } from "./claim";

/**
 * How a worker finds its next publications. First it reads, without a lock, which accounts have something due on the networks
 * that are open and have room. It never reads everything that is due: of each network it reads the oldest rows, the newest
 * ones and a window that moves on with every look. So a look costs the same while a thousand or a million publications wait,
 * and one that has just become due is found at once. If the moving window has too many accounts, it contributes any of them, so
 * that accounts that must wait cannot exclude another one forever. Then one statement picks publications of these accounts and
 * claims them, under a lock of each network.
 */

/** Pause while due publications cannot start: another process is picking, or they wait for their account or owner. It doubles. */
const BLOCKED_PAUSE_MS = { first: 20, longest: 500 };
const MAX_IDLE_MS = 1_000;

/** The most rows that a window has, and the most accounts that it contributes, over all networks. */
const WINDOW_ROWS = 2_000;
const WINDOW_ACCOUNTS = 200;

/** Where the moving window of a network begins. */
type Place = { due: string; account: number };
/** What a process remembers from one look to the next. */
export type PickState = { places: Map<Platform, Place>; newestDue: number; blocked: number };
export const newPickState = (): PickState => ({ places: new Map(), newestDue: 0, blocked: 0 });

export type Look = {
  claims: Claim[];
  /** Milliseconds until the next look, if nothing is announced before. Absent if something was claimed: more may be due. */
  idleMs?: number;
};

/** The claims of a worker without a heartbeat for this long no longer count. */
const SILENT_SECONDS = 15;

/** After this many claims without progress, a publication is suspected of crashing its worker. */
const SUSPECT_CLAIMS = 2;

const suspicious = sql.raw(String(SUSPECT_CLAIMS));
const silent = sql.raw(`interval '${SILENT_SECONDS} seconds'`);
const windowRows = sql.raw(String(WINDOW_ROWS));
const windowAccounts = sql.raw(String(WINDOW_ACCOUNTS));
const mostPerAccount = sql.raw(String(Math.max(...allNetworks().map((network) => concurrencyOf(network).perAccount))));
const maxIdle = sql.raw(`interval '${MAX_IDLE_MS} milliseconds'`);

type Outlook = {
  platform: Platform;
  /** Milliseconds until the network's next publication is due or the network opens again; null if that is further away. */
  nextMs: number | null;
  /** When the newest due publication became due, in milliseconds since 1970; null if nothing is due. */
  newestDue: number | null;
  /** Accounts with something due. */
  accounts: number[] | null;
  /** The end of the moving window; null if it reached the last due row. */
  endDue: string | null;
  endAccount: number | null;
};

/**
 * A window of a network's due rows: some of its accounts, whether it is full and, if so, its end. `cut`: more is due than the
 * window contributes, because it is full or because it has too many accounts.
 * The constant limit tells the planner that few rows are read. Otherwise it may read and sort all due rows of the network.
 * @param rows its condition and order
 * @param size SQL: how many rows it may have; with 0, nothing is read
 * @param first SQL: the order of its accounts
 */
const windowOf = (rows: SQL, size: SQL, first: SQL) => sql`lateral (
    with w as materialized (
      select * from (
        select due_at, account_id from publications where platform = heads.platform and due_at <= now() ${rows} limit ${windowRows}
      ) most limit ${size}
    ), accounts as (
      select account_id from w group by account_id order by ${first} limit share.accounts
    ), counts as (
      select count(*) = share.rows as full, count(distinct account_id) > share.accounts as crowded from w
    )
    select (select array_agg(account_id) from accounts) as accounts, counts.full or counts.crowded as cut, last.*
    from counts left join lateral (
      select due_at, account_id from w where counts.full order by due_at desc, account_id desc limit 1) last on true)`;

const all = sql`case when newest is null then 0 else share.rows end`;
const size = sql`case when oldest.cut then share.rows else 0 end`;
const afterPlace = sql`and (due_at, account_id) > (coalesce("afterDue", '-infinity'), coalesce("afterAccount", 0))`;

/** Returns one row per network in `room`, and none while publishing is stopped. The index of due rows has all its columns. */
const readDue = statement<{ room: string }, Outlook>(
  "publications.due",
  sql`
  with room as (
    select * from jsonb_to_recordset(${value("room", "jsonb")})
      as r(platform text, free int, "afterDue" timestamptz, "afterAccount" bigint)
  ), heads as materialized (
    select r.*, h.closed_until > now() as closed, h.closed_until, (
        select due_at from publications where platform = r.platform and due_at > now() and due_at <= now() + ${maxIdle}
        order by due_at limit 1) as next,
      case when h.closed_until > now() then null else (
        select due_at from publications where platform = r.platform and due_at <= now() order by due_at desc limit 1) end as newest
    from room r left join network_health h on h.platform = r.platform
    where ${isPublishingOpen}
  ), share as materialized (
    select ${windowRows} / greatest(count(newest), 1) as rows, ${windowAccounts} / greatest(count(newest), 1) + 8 as accounts from heads
  )
  select heads.platform,
    (extract(epoch from case when heads.closed then heads.closed_until else next end - clock_timestamp()) * 1000)::float8 as "nextMs",
    (extract(epoch from newest) * 1000)::float8 as "newestDue",
    (oldest.accounts || latest.accounts || moving.accounts)::float8[] as accounts,
    moving.due_at::text as "endDue", moving.account_id::float8 as "endAccount"
  from heads cross join share
    cross join ${windowOf(sql`order by due_at, account_id`, all, sql`min(due_at)`)} oldest
    cross join ${windowOf(sql`order by due_at desc, account_id desc`, size, sql`max(due_at) desc`)} latest
    cross join ${windowOf(sql`${afterPlace} order by due_at, account_id`, size, sql`random()`)} moving`,
);

/**
 * Selects the ids of the publications to claim next, fairly: every owner's first publication comes before any owner's second,
 * counting those that run in this process, and an account's publications go in order of their time. The network's definition
 * sets how many may run at once per network, owner and account. Owners who are suspended or being deleted take no turns. A
 * network in trouble gets fewer or none, and so does an account that has to wait. A publication that was claimed twice without
 * progress may crash its worker, so a process takes only one of those at a time: a crash then cannot use up the last claim of
 * another one.
 */
const turns = sql`
    with room as (
      select * from jsonb_to_recordset(${value("room", "jsonb")})
        as r(platform text, free int, "perOwner" int, "perAccount" int)
    ), busy as (
      select * from jsonb_to_recordset(${value("busy", "jsonb")}) as b(platform text, owner uuid, n int)
    ), claimed as materialized (
      select a.platform, a.id, count(*) as n from workers w
        join publications l on l.claim_worker = w.id and l.claim_until > now()
        join accounts a on a.id = l.account_id
      where w.heartbeat_at > now() - ${silent} group by 1, 2
    ), willing as materialized (
      select r.platform, "perOwner", "perAccount", case when h.closed_until > now() then 0 else least(free, h.allowance -
        (select coalesce(sum(n), 0) from claimed where claimed.platform = r.platform)) end as free
      from room r left join network_health h on h.platform = r.platform
    ), open as materialized (
      select * from willing where free > 0
        and pg_try_advisory_xact_lock(${sql.raw(String(PUBLICATION_PICK_LOCK_CLASS))}, hashtext(platform))
    ), turns as (
      select d.id, d.due_at, a.platform, open.free, open."perOwner",
        d.claims, row_number() over (partition by a.platform, a.owner_id order by d.due_at, d.id) + coalesce(busy.n, 0) as turn
      from unnest(${value("waiting", "bigint[]")}) as waiting(account_id) join accounts a on a.id = waiting.account_id
        join users u on u.id = a.owner_id and ${isOwnerActive}
        join open on open.platform = a.platform
        left join busy on busy.platform = a.platform and busy.owner = a.owner_id
        left join claimed on claimed.id = a.id
        cross join lateral (
          select * from (
            select p.id, p.due_at, p.claims from publications p
            where p.account_id = a.id and p.due_at <= now() and coalesce(p.claim_until < now(), true)
            order by p.due_at limit ${mostPerAccount}
          ) first limit greatest(open."perAccount" - coalesce(claimed.n, 0), 0)
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

const claimTurns = claimingStatement<{ room: string; busy: string; suspects: number; waiting: number[] }>(
  "publications.take-turns",
  turns,
);

/**
 * Claims the next due publications, fairly across owners, and says when to look again.
 * @param running the claims that this process works on
 */
export async function claimDue(worker: Worker, running: Claim[], memory: PickState): Promise<Look> {
  const { room, busy } = currentLoad(running);
  const open = room.filter(({ free }) => free > 0);
  const begun = performance.now();
  const outlook = await readDue(dbOrTransaction, {
    room: JSON.stringify(
      open.map(({ platform, free }) => {
        const place = memory.places.get(platform);
        return { platform, free, afterDue: place?.due, afterAccount: place?.account };
      }),
    ),
  });
  const waiting = [...new Set(outlook.flatMap(({ accounts }) => accounts ?? []))];
  const isDue = new Set(outlook.flatMap(({ platform, accounts }) => (accounts ? [platform] : [])));
  remember(memory, outlook);
  if (waiting.length > 0) {
    // `claims` includes the current claim.
    const suspects = running.some(({ claims }) => claims > SUSPECT_CLAIMS) ? 0 : 1;
    const wanted = JSON.stringify(open.filter(({ platform }) => isDue.has(platform)));
    const claims = await claimTurns(worker, { room: wanted, busy: JSON.stringify(busy), suspects, waiting });
    if (claims.length > 0) {
      memory.blocked = 0;
      return { claims };
    }
    memory.blocked += 1;
  } else memory.blocked = 0;
  return { claims: [], idleMs: untilNextLook(outlook, memory.blocked, performance.now() - begun) };
}

function remember(memory: PickState, outlook: Outlook[]): void {
  for (const { platform, endDue, endAccount } of outlook) {
    if (endDue === null || endAccount === null) memory.places.delete(platform);
    else memory.places.set(platform, { due: endDue, account: endAccount });
  }
  const newest = Math.max(0, ...outlook.map(({ newestDue }) => newestDue ?? 0));
  if (newest !== memory.newestDue) memory.blocked = 0; // something became due or was claimed since the last look
  memory.newestDue = newest;
}

/** `blocked` counts the looks in a row that found due publications and could claim none; `lookMs` is how long this one took. */
export function untilNextLook(outlook: Pick<Outlook, "nextMs">[], blocked: number, lookMs: number): number {
  const next = Math.min(MAX_IDLE_MS, ...outlook.map(({ nextMs }) => nextMs ?? MAX_IDLE_MS));
  const { first, longest } = BLOCKED_PAUSE_MS;
  const again = blocked === 0 ? MAX_IDLE_MS : Math.min(longest, first * 2 ** Math.min(blocked - 1, 10));
  return Math.max(0, Math.min(again, next - lookMs));
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
