import { type SQL, sql } from "drizzle-orm";
import { db, dbOrTransaction } from "../../db";
import { defineGauges, perNetwork, type Sample } from "../../metrics";
import { type Platform, platformValues } from "../../platforms";
import { isOwnerActive } from "../../users";

/** Due publications that are read of each network. If all of them have a reason to wait, the network shows 0. */
const READ = 1_000;
/** Publications with a due comment that are read, of all networks together. */
const READ_COMMENTS = 10_000;
const INTENT_SECONDS = 60;
/** The claims of a worker with an older heartbeat no longer count (pick.ts). */
const SILENT_SECONDS = 15;

const network = ["network"];

/** The figures of publishing for `/metrics`. Each query reads an index and a limited number of rows. */
defineGauges(
  {
    carillon_publication_oldest_due_seconds: {
      help: "For how long the oldest due publication has waited. 0 while publishing is paused or held, which has its own metrics.",
      labelNames: network,
    },
    carillon_comment_oldest_due_seconds: {
      help: "For how long the oldest due first comment on a published post has waited. 0 while publishing is paused or held.",
      labelNames: network,
    },
    carillon_network_breaker_state: {
      help: "0: the network answers. 1: it had failures, or recovers with fewer calls. 2: it gets no new publications.",
      labelNames: network,
    },
    carillon_publish_intents_open: {
      help: `Final calls that were announced more than ${INTENT_SECONDS} seconds ago and whose outcome is not recorded.`,
    },
    carillon_workers_live: { help: "Workers with a heartbeat in the last 15 seconds." },
    carillon_publishing_paused: { help: "1 while an operator has paused publishing." },
    carillon_publishing_held: { help: "1 while publishing is held after a restore." },
    carillon_backup_age_seconds: { help: "The age of the last backup. No value if there has been none." },
  },
  readPublishingFigures,
);

/** Reads the values of these gauges. */
export async function readPublishingFigures(): Promise<{ [name: string]: Sample[] }> {
  const [due, comments, breakers, [state]] = await Promise.all([
    readOldestDue(),
    readOldestDueComments(),
    readBreakers(),
    readState(),
  ]);
  const isOpen = !state?.paused && !state?.held;
  return {
    carillon_publication_oldest_due_seconds: perNetwork(isOpen ? due : []),
    carillon_comment_oldest_due_seconds: perNetwork(isOpen ? comments : []),
    carillon_network_breaker_state: perNetwork(breakers),
    carillon_publish_intents_open: [{ value: state?.intents ?? 0 }],
    carillon_workers_live: [{ value: state?.workers ?? 0 }],
    carillon_publishing_paused: [{ value: Number(state?.paused ?? false) }],
    carillon_publishing_held: [{ value: Number(state?.held ?? false) }],
    ...(state?.backupAge != null ? { carillon_backup_age_seconds: [{ value: state.backupAge }] } : {}),
  };
}

/** The account neither waits for a confirmation nor was told to wait by its network. */
const isAccountReady = sql`a.held_since is null and coalesce(a.wait_until < now(), true)`;

type OfNetwork = { platform: Platform; value: number };

/**
 * Returns for how many seconds the oldest due publication of each network has waited, without those whose owner is suspended or
 * whose account has a reason to wait. A network without one is absent.
 */
export async function readOldestDue(): Promise<OfNetwork[]> {
  const { rows } = await db.execute<OfNetwork>(sql`
    select n.platform, extract(epoch from now() - min(p.due_at))::float8 as value
    from unnest(string_to_array(${platformValues.join()}, ',')) n(platform)
    cross join lateral (select account_id, due_at from publications
      where platform = n.platform and due_at <= now() and (claim_until is null or claim_until < now())
      order by due_at limit ${READ}) p
    join accounts a on a.id = p.account_id and ${isAccountReady} join users u on u.id = a.owner_id and ${isOwnerActive}
    group by 1`);
  return rows;
}

async function readOldestDueComments(): Promise<OfNetwork[]> {
  const { rows } = await db.execute<OfNetwork>(sql`
    select a.platform, extract(epoch from now() - min(p.comment_due_at))::float8 as value
    from (select account_id, comment_due_at from publications
      where comment_due_at <= now() and (claim_until is null or claim_until < now())
      order by comment_due_at limit ${READ_COMMENTS}) p
    join accounts a on a.id = p.account_id and ${isAccountReady} join users u on u.id = a.owner_id and ${isOwnerActive}
    group by 1`);
  return rows;
}

async function readBreakers(): Promise<OfNetwork[]> {
  const { rows } = await db.execute<OfNetwork>(
    sql`select platform, case when closed_until > now() then 2 else 1 end as value from network_health`,
  );
  return rows;
}

type State = { intents: number; workers: number; paused: boolean; held: boolean; backupAge: number | null };

async function readState() {
  const { rows } = await db.execute<State>(sql`
    select
      (select count(*)::int from publish_steps s join posts q on q.id = s.post_id and q.status in ('PENDING', 'IN_PROGRESS')
        where s.state = 'SENDING' and coalesce(s.sent_at, s.started_at) < now() - make_interval(secs => ${INTENT_SECONDS})) as intents,
      (select count(*)::int from workers where heartbeat_at > now() - make_interval(secs => ${SILENT_SECONDS})) as workers,
      exists (select from publishing_pause) as paused,
      i.held_at is not null as held, extract(epoch from now() - i.last_backup_at)::float8 as "backupAge"
    from installation i`);
  return rows;
}

/** What a worker could claim and did not claim for this long is overdue. */
const OVERDUE_SECONDS = 60;

export type Overdue = { platform: Platform; count: number; oldestSeconds: number };

/**
 * Returns how many publications of each network a worker should have claimed long ago. Does not count those that have a reason
 * to wait: the owner is suspended or being deleted, the account is held or was told to wait, or the network is closed.
 */
export const listOverdue = () => readOverdue(sql`p.due_at`);

/** Returns the same for the first comments on published publications. */
export const listOverdueComments = () => readOverdue(sql`p.comment_due_at`);

async function readOverdue(due: SQL): Promise<Overdue[]> {
  const { rows } = await dbOrTransaction.execute<Overdue>(sql`
    select a.platform, count(*)::int as count, extract(epoch from now() - min(${due}))::int as "oldestSeconds"
    from publications p
      join accounts a on a.id = p.account_id and ${isAccountReady}
      join users u on u.id = a.owner_id and ${isOwnerActive}
      left join network_health h on h.platform = a.platform
    where ${due} < now() - make_interval(secs => ${OVERDUE_SECONDS})
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
