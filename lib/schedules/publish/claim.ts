import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Account } from "../../accounts";
import {
  accounts,
  type CommentOutcome,
  db,
  dbOrTransaction,
  type PublicationStatus,
  posts as postsTable,
  publications,
  publishSteps,
  type Tx,
} from "../../db";
import { isPublishingOpen } from "../../db/installation";
import { notify } from "../../db/listen";
import { fewRows, rowAsJson, rowFromJson, statement, value } from "../../db/statement";
import type { Worker } from "../../jobs";
import { isOwnerActive } from "../../users";
import { emitStarted } from "../events";
import type { Post } from "../read";

export const CLAIM_SECONDS = 30;
/** The NOTIFY channel that announces due publications. */
export const DUE = "publications_due";

export type Step = typeof publishSteps.$inferSelect & {
  /** Seconds since the step last began. For an intent: since its newest call ended or, if that is not known, was announced. */
  seconds: number;
};

/**
 * A publication that only this worker may work on until the claim expires. The fence increases with every claim, so a worker
 * can tell that a later claim has replaced its own.
 */
export type Claim = {
  publicationId: number;
  scheduleId: number;
  ownerId: string;
  fence: number;
  attempts: number;
  /** The number of claims without progress, including this one. */
  claims: number;
  /** The publication ended as UNKNOWN: the network is only read, and nothing is sent. */
  isOutcomeUnknown: boolean;
  /** The user allowed sending the post with the unknown outcome once more, unless the network shows it. */
  sendAgain: boolean;
  /** The publication is published and owes its first comment: this claim is for the comment only. Null: it is for the posts. */
  comment: CommentOutcome | null;
  settings: { type: string; [name: string]: unknown };
  account: Account;
  /** Seconds from the claim until the account's token expires; null if it does not expire. */
  tokenSeconds: number | null;
  /** The access token of the last call made for the account. */
  accessToken?: string;
  posts: Post[];
  steps: Step[];
  worker: Worker;
  /** The time of the claim: by the database's clock, and in milliseconds of this process's monotonic clock. */
  claimedAt: string;
  claimedAtMs: number;
  /** Seconds since the scheduled time or since the user's last retry, by the database's clock. */
  lateSeconds: number;
  /** The place in a trace of the request that stored the schedule. */
  traceparent: string | null;
};

/** The claim expired or another worker holds it. The current work must stop. */
export class ClaimLost extends Error {
  constructor() {
    super("this worker no longer holds the claim on the publication");
    this.name = "ClaimLost";
  }
}

type Values = { worker: string };
type Copied =
  | "ownerId"
  | "fence"
  | "attempts"
  | "claims"
  | "sendAgain"
  | "comment"
  | "settings"
  | "claimedAt"
  | "lateSeconds"
  | "traceparent";
type Row = Pick<Claim, Copied> & {
  status: PublicationStatus;
  /** The `rowAsJson` of the publication's account. */
  account: { [key: string]: unknown };
  tokenSeconds: number | null;
  posts: { [key: string]: unknown }[] | null;
  steps: { step: { [key: string]: unknown }; seconds: number }[] | null;
  ids: { publicationId: number; scheduleId: number };
  /** This claim is the first of its schedule, so the schedule starts with it. */
  begins: boolean;
};

export const secondsFromNow = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * SQL: when a claimed publication is due again unless its claim ends before. A published one is claimed for its comment, which has
 * a due time of its own: workers of the previous release look at `due_at`, and would wait for what they cannot claim.
 * @param row the name of the row of `publications`
 */
export const dueAtClaimEnd = (end: SQL, row = "p") =>
  sql`case when ${sql.identifier(row)}.status <> 'PUBLISHED' then ${end} end`;

/** Constants are part of the SQL text because statements are prepared once. */
const claimEnd = sql.raw(`clock_timestamp() + interval '${CLAIM_SECONDS} seconds'`);

/**
 * Builds a statement that claims those of the picked publications that may be published, and reads everything that
 * publishing them needs. A publication may be claimed if its time has come, no worker holds it, its owner is active and
 * publishing is neither paused nor held. The schedule is locked before its publications, as everywhere, and rows that another
 * transaction has locked are skipped. A publication becomes due again when its claim expires.
 * @param picked a query for publication ids
 * @param isOpen condition under which anything is claimed; only claims that send nothing may replace it
 */
export function claimingStatement<V extends { [name: string]: unknown }>(
  name: string,
  picked: SQL,
  isOpen = isPublishingOpen,
) {
  const take = statement<V & Values, Row>(
    name,
    sql`
    with picked as materialized (select id from (${picked}) picks ${fewRows}), locked as (
      select p.id, s.owner_id, s.traceparent, p.status,
        extract(epoch from clock_timestamp() - greatest(s.scheduled_time, p.retried_at))::float8 as late
      from picked join publications p on p.id = picked.id
        join schedules s on s.id = p.schedule_id join users u on u.id = s.owner_id
      where s.scheduled_time <= clock_timestamp() and coalesce(p.claim_until < clock_timestamp(), true)
        and (p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
          or p.status = 'UNKNOWN' and p.due_at is not null or p.status = 'PUBLISHED' and p.comment_due_at is not null)
        and ${isOwnerActive} and ${isOpen}
      for update of s, p skip locked
    ), claimed as (
      update publications p set claim_worker = ${value("worker", "uuid")}, claim_fence = p.claim_fence + 1, claims = p.claims + 1,
        claim_until = ${claimEnd}, due_at = ${dueAtClaimEnd(claimEnd)},
        status = case when p.status in ('UNKNOWN', 'PUBLISHED') then p.status else 'IN_PROGRESS' end
      from locked where p.id = locked.id
      returning p.*, locked.owner_id, locked.late, locked.traceparent
    ), begun as (
      update schedules set status = 'IN_PROGRESS', updated_at = now()
      where status = 'SCHEDULED' and id in (select schedule_id from claimed where status <> 'UNKNOWN')
      returning id
    )
    select json_build_object('publicationId', c.id, 'scheduleId', c.schedule_id) as ids, c.owner_id as "ownerId", c.claim_fence as fence,
      c.attempts, c.claims, c.send_again as "sendAgain", c.comment, c.status, c.settings, clock_timestamp()::text as "claimedAt", c.late as "lateSeconds", c.traceparent,
      c.schedule_id in (select id from begun) as begins, ${rowAsJson(accounts, "a")} as account,
      extract(epoch from a.tokens_expire_at - clock_timestamp())::float8 as "tokenSeconds",
      (select json_agg(${rowAsJson(postsTable, "q")} order by q.position) from posts q where q.publication_id = c.id) as posts,
      (select json_agg(json_build_object('step', ${rowAsJson(publishSteps, "t")},
          'seconds', extract(epoch from clock_timestamp() - coalesce(t.finished_at, t.sent_at, t.started_at))::float8))
        from publish_steps t join posts q on q.id = t.post_id where q.publication_id = c.id) as steps
    from claimed c join accounts a on a.id = c.account_id order by c.id`,
  );
  return async (worker: Worker, values: V): Promise<Claim[]> => {
    worker.assertAlive();
    const rows = await dbOrTransaction.transaction(async (tx) => {
      // PostgreSQL would plan the statement anew five times on each connection, which takes longer than running it.
      await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
      const taken = await take(tx, { ...values, worker: worker.id });
      const begun = taken.flatMap(({ begins, ids }) => (begins ? [ids.scheduleId] : []));
      await emitStarted(tx, [...new Set(begun)]);
      return taken;
    });
    return rows.map((row) => claimOf(row, worker));
  };
}

function claimOf({ ids, begins: _, status, account, tokenSeconds, posts, steps, ...row }: Row, worker: Worker): Claim {
  return {
    ...row,
    ...ids,
    isOutcomeUnknown: status === "UNKNOWN",
    sendAgain: row.sendAgain && status !== "UNKNOWN",
    account: rowFromJson(accounts, account),
    tokenSeconds,
    posts: (posts ?? []).map((post) => rowFromJson(postsTable, post)),
    steps: (steps ?? []).map(({ step, seconds }) => ({ ...rowFromJson(publishSteps, step), seconds })),
    worker,
    claimedAtMs: performance.now(),
  };
}

const claimOne = claimingStatement<{ id: number }>("publications.take-one", sql`select ${value("id", "bigint")} as id`);

/** Claims one publication whose scheduled time has come, even if it is not due for its next attempt. */
export async function claimPublication(id: number, worker: Worker): Promise<Claim | undefined> {
  return (await claimOne(worker, { id }))[0];
}

/** SQL condition: this claim still holds, by its fence, its worker and its expiry. */
export const isClaimHeld = (claim: Claim) =>
  and(
    eq(publications.id, claim.publicationId),
    eq(publications.claimFence, claim.fence),
    eq(publications.claimWorker, claim.worker.id),
    sql`${publications.claimUntil} > clock_timestamp()`,
  );

/**
 * Changes the publication of a claim, and whatever else `work` changes, in one transaction. The row stays locked until it ends,
 * so no other worker can claim the publication meanwhile.
 * @throws ClaimLost, and changes nothing
 */
export async function changeClaimed(
  claim: Claim,
  changes: PgUpdateSetSource<typeof publications>,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await tx
      .update(publications)
      .set(changes)
      .where(isClaimHeld(claim))
      .returning({ id: publications.id });
    if (held.length === 0) throw new ClaimLost();
    await work(tx);
  });
}

const renew = statement<{ claims: string }, { id: string }>(
  "publications.keep",
  sql`
  with wanted as materialized (
    select * from jsonb_to_recordset(${value("claims", "jsonb")}) as w("publicationId" bigint, fence int, worker uuid)
  ), locked as materialized (
    select p.id from publications p where p.id in (select "publicationId" from wanted) order by p.id for no key update
  )
  update publications p set claim_until = greatest(claim_until, ${claimEnd}),
    due_at = ${dueAtClaimEnd(sql`greatest(claim_until, ${claimEnd})`)}
  from wanted w, locked
  where p.id = w."publicationId" and p.id = locked.id and p.claim_fence = w.fence and p.claim_worker = w.worker
    and p.claim_until > clock_timestamp()
  returning p.id`,
);

/**
 * Extends claims, all in one statement. A claim that no longer holds is skipped; its worker notices that at its next step.
 */
export async function renewClaims(claims: Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const held = claims.map(({ publicationId, fence, worker }) => ({ publicationId, fence, worker: worker.id }));
  await renew(dbOrTransaction, { claims: JSON.stringify(held) });
}

/**
 * Gives back a claim whose end could not be recorded, so that it does not last until it expires: after a final call was announced,
 * that is minutes later, and meanwhile the claim uses up a place of a network that allows only a few. This is not a claim without
 * progress. Does nothing if the claim no longer holds.
 */
export async function giveBackClaim(claim: Claim, againSeconds: number): Promise<void> {
  const dueAt = sql`case when ${publications.status} <> 'PUBLISHED' then ${secondsFromNow(againSeconds)} end`;
  await db
    .update(publications)
    .set({ claimWorker: null, claimUntil: null, claims: 0, dueAt })
    .where(isClaimHeld(claim));
}

/** The payload of a notification that claims were released: those of comments may be among them. */
export const CLAIMS_RELEASED = "released";

/** Releases the claims of a worker; their publications become due at once. */
export async function releaseClaims(tx: Tx, workerId: string): Promise<void> {
  await tx
    .update(publications)
    .set({
      claimWorker: null,
      claimUntil: null,
      dueAt: sql`case when ${publications.status} <> 'PUBLISHED' then clock_timestamp() end`,
    })
    .where(eq(publications.claimWorker, workerId));
  await notify(tx, DUE, CLAIMS_RELEASED);
}

/** Notifies every worker, on commit, that a publication is due. */
export async function notifyDue(tx: Tx): Promise<void> {
  await notify(tx, DUE, "");
}
