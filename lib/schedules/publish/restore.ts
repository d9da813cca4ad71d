import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { verifyRestoredTokens } from "../../accounts";
import { db } from "../../db";
import { holdPublishing, publishingHold, renewHold } from "../../db/installation";
import { statement, value } from "../../db/statement";
import { env } from "../../env";
import { advanceSequences, endHold } from "../../installation";
import type { Worker } from "../../jobs";
import type { Platform } from "../../platforms";
import { instantInWords } from "../../time/instant";
import { isOwnerActive } from "../../users";
import { CLAIM_SECONDS, claimingStatement, notifyDue, renewClaims } from "./claim";
import { endRestoredComments } from "./comment";
import { publish } from "./publish";
import { RESTORED } from "./restored";

/** What became of the publications that may have been sent after the backup was taken. */
export type RestoreSummary = {
  due: number;
  /** The network shows them: they are recorded as published. */
  found: number;
  /** The network cannot tell. They are never sent again automatically. */
  unknown: number;
  /** The network certainly does not have them. They are sent once publishing goes on. */
  safeToSend: number;
  /** Of suspended owners, waiting for media, or not readable in half an hour: workers look them up before they send them. */
  lookedUpLater: number;
  unknownPublications: { id: number; scheduleId: number; platform: Platform; scheduledTime: string }[];
};

const CONCURRENT = 8;
const POLL_MS = 200;
/** After this long, workers look up the publications that are left, before they send them. */
const MAX_SECONDS = 1_800;
const RENEW_MS = 10_000;

/**
 * Finishes a restore from a backup that was taken at `takenAt`. Publishing is held until every publication that may have been
 * sent since then was looked up on its network. If the command is interrupted, run it again: it continues.
 * @param say receives the progress
 */
export async function finishRestore(takenAt: Date, say: (line: string) => void): Promise<RestoreSummary> {
  await beginHold(takenAt);
  await advanceSequences();
  await recordMaybeSent();
  await endRestoredComments();
  await verifyRestoredTokens();
  await lookUpAll(say);
  const summary = await summarize();
  await endHold();
  await db.transaction((tx) => notifyDue(tx));
  return summary;
}

/** A hold from before the backup is one of its rows. It had ended, and posts whose time came later may have been sent. */
async function beginHold(takenAt: Date): Promise<void> {
  const hold = await publishingHold();
  if (hold && Date.parse(hold.since) < takenAt.getTime()) return renewHold(hold.reason, takenAt);
  await holdPublishing(`The database was restored from a backup of ${instantInWords(takenAt)}`, takenAt);
}

/** The intents of this restore. An intent of an earlier restore, whose answer is out of date, is opened again. */
const ofThisRestore = sql`t.name = ${RESTORED} and t.sent_at = (select held_at from installation)`;

/**
 * Stores an intent for every post that this database considers unsent and whose time has come, and makes them due. The call
 * may be as old as the backup or the scheduled time, and as new as the hold. If an attempt or its call ran while the backup was
 * taken, the call may be as old as that: some networks call a post as old as the attempt that prepared it. A second is added,
 * because most networks report whole seconds. If a run with a later
 * instant was interrupted, its searches did not go back far enough, so they are repeated.
 */
async function recordMaybeSent(): Promise<void> {
  await db.execute(sql`
    with due as materialized (
      select p.id, greatest(s.scheduled_time, least((select held_since_point from installation),
          p.claim_until - make_interval(secs => ${CLAIM_SECONDS}))) as since
      from publications p join schedules s on s.id = p.schedule_id
      where p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS', 'AWAITING_MEDIA')
        and s.scheduled_time <= (select held_at from installation)
    ), freed as (
      update publications p set claim_worker = null, claim_until = null, claims = 0,
        due_at = least(p.due_at, clock_timestamp())
      from due where p.id = due.id and p.claim_worker is not null
    )
    insert into publish_steps as t (post_id, name, state, irreversible, worker_id, started_at, sent_at)
    select q.id, ${RESTORED}, 'SENDING', true, ${randomUUID()}, least(due.since, (
        select min(running.started_at) from publish_steps running
        where running.post_id = q.id and running.irreversible and running.name <> ${RESTORED})) - interval '1 second',
      (select held_at from installation)
    from due join posts q on q.publication_id = due.id where q.status <> 'PUBLISHED'
    on conflict (post_id, name) do update set state = 'SENDING', irreversible = true, result = null, finished_at = null,
      started_at = excluded.started_at, sent_at = excluded.sent_at
    where t.sent_at is distinct from excluded.sent_at or t.started_at > excluded.started_at`);
  // Looking up needs no wait that was stored before the backup.
  await db.execute(sql`
    update publications p set due_at = clock_timestamp()
    where p.status in ('PENDING', 'IN_PROGRESS') and ${isToLookUp} and (p.due_at is null or p.due_at > clock_timestamp())
      and coalesce(p.claim_until < clock_timestamp(), true)`);
}

/** SQL condition on a publication `p`: it has a post that may have been sent after the backup and was not looked up yet. */
const isToLookUp = sql.raw(`exists (select from posts q join publish_steps t on t.post_id = q.id
  where q.publication_id = p.id and t.name = '${RESTORED}' and t.state = 'SENDING')`);

const claimToLookUp = claimingStatement<{ room: number }>(
  "publications.take-restored",
  sql`select p.id from publications p where p.due_at <= clock_timestamp() and p.status in ('PENDING', 'IN_PROGRESS')
    and coalesce(p.claim_until < clock_timestamp(), true) and ${isToLookUp} order by p.due_at, p.id limit ${value("room", "int")}`,
  sql`true`,
);

const countToLookUp = statement<Record<never, never>, { left: number }>(
  "publications.count-restored",
  sql`select count(*)::float8 as left from publications p join schedules s on s.id = p.schedule_id join users u on u.id = s.owner_id
    where p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
      and p.due_at is not null and ${isOwnerActive} and ${isToLookUp}`,
);

/** Claims and looks up the publications, some at a time, until none of them is left. */
async function lookUpAll(say: (line: string) => void): Promise<void> {
  const worker: Worker = { id: randomUUID(), assertAlive() {} };
  const running = new Map<number, { claim: Parameters<typeof publish>[0]; end: Promise<void> }>();
  const renewing = setInterval(() => {
    renewClaims([...running.values()].map(({ claim }) => claim)).catch(() => {});
  }, RENEW_MS);
  const endsAtMs = performance.now() + (MAX_SECONDS * 1_000) / env.timeFactor;
  let failure: { error: unknown } | undefined;
  try {
    for (;;) {
      if (failure) throw failure.error;
      const claims =
        running.size < CONCURRENT && performance.now() < endsAtMs
          ? await claimToLookUp(worker, { room: CONCURRENT - running.size })
          : [];
      for (const claim of claims) {
        const end = publish(claim)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => running.delete(claim.publicationId));
        running.set(claim.publicationId, { claim, end });
      }
      const [{ left } = { left: 0 }] = await countToLookUp(db, {});
      if ((left === 0 || performance.now() > endsAtMs) && running.size === 0) return;
      say(`${left} publications are still being looked up`);
      if (claims.length === 0) await Promise.race([sleep(POLL_MS), ...[...running.values()].map(({ end }) => end)]);
    }
  } finally {
    clearInterval(renewing);
    await Promise.allSettled([...running.values()].map(({ end }) => end));
  }
}

async function summarize(): Promise<RestoreSummary> {
  const { rows } = await db.execute<{
    id: number;
    scheduleId: number;
    platform: Platform;
    status: string;
    scheduledTime: string;
    open: boolean;
  }>(sql`
    select p.id::float8 as id, p.schedule_id::float8 as "scheduleId", a.platform, p.status, s.scheduled_time::text as "scheduledTime",
      bool_or(t.state = 'SENDING') as open
    from publish_steps t join posts q on q.id = t.post_id join publications p on p.id = q.publication_id
      join schedules s on s.id = p.schedule_id join accounts a on a.id = p.account_id
    where ${ofThisRestore} group by p.id, a.platform, s.scheduled_time order by p.id`);
  const isWaiting = ({ status }: { status: string }) => status === "PENDING" || status === "IN_PROGRESS";
  const unknown = rows.filter(({ status }) => status === "UNKNOWN");
  return {
    due: rows.length,
    found: rows.filter(({ status }) => status === "PUBLISHED").length,
    unknown: unknown.length,
    safeToSend: rows.filter((row) => isWaiting(row) && !row.open).length,
    lookedUpLater: rows.filter((row) => isWaiting(row) && row.open).length,
    unknownPublications: unknown.map(({ id, scheduleId, platform, scheduledTime }) => ({
      ...{ id, scheduleId, platform },
      scheduledTime: new Date(scheduledTime).toISOString(),
    })),
  };
}
