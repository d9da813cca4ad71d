import { and, eq, sql } from "drizzle-orm";
import { db, publishingPause, publishSteps } from "../../db";
import { batch } from "../../db/batch";
import { isPublishingOpen, publishingHold } from "../../db/installation";
import { statement, value } from "../../db/statement";
import { env } from "../../env";
import { noteAnnounced } from "../../installation";
import { PlatformError } from "../../networks";
import { isOwnerActive } from "../../users";
import type { Post } from "../read";
import {
  CLAIM_SECONDS,
  type Claim,
  ClaimLost,
  changeClaimed,
  dueAtClaimEnd,
  isClaimHeld,
  type Step,
  secondsFromNow,
} from "./claim";
import { type IntentFacts, rememberCalls } from "./lookup";
import { Postponed } from "./outcomes";

/** The stored result of a poll that waits after the final call was accepted. */
export const AFTER_COMMIT = "after commit";

/** Returns the steps that leave a post's outcome open: a call without an answer, and a poll after an accepted final call. */
export function unresolvedSteps({ steps }: Claim, post: Post): Step[] {
  return steps.filter(
    (step) =>
      step.postId === post.id && (step.state === "SENDING" || (step.state === "POLLING" && isAfterCommit(step))),
  );
}

/** Returns whether a call of this post was sent that cannot be undone. */
export function wasSent(claim: Claim, post: Post): boolean {
  const isSent = claim.steps.some(({ postId, irreversible }) => postId === post.id && irreversible);
  return isSent || unresolvedSteps(claim, post).length > 0;
}

/** The same as a SQL condition on the row of `publish_steps` with this alias. */
export const isUnresolvedStep = (row: string) => {
  const step = sql.identifier(row);
  return sql`(${step}.state = 'SENDING' or ${step}.state = 'POLLING' and ${step}.result ->> 'value' = ${AFTER_COMMIT})`;
};

const isAfterCommit = (step: Step) => step.result !== null && resultOf(step) === AFTER_COMMIT;

/** Longer than the longest call of any adapter, so that the claim outlives the call that it announces. */
const CALL_SECONDS = 330;
const PAUSE_SECONDS = 5;

/** What is known about a call that was announced and has no outcome. */
export type LookupState = {
  /** The network answered with an internal error. */
  answered: boolean;
  /** The network rejected a repeat because it already has this post. */
  duplicate?: boolean;
  /** How often the network was read without showing the post. */
  looks: number;
  /** How often in a row the network could not be read; counted only after a restore. */
  errors?: number;
};

type Intent = {
  publicationId: number;
  postId: number;
  name: string;
  fence: number;
  worker: string;
  accountId: number;
  ownerId: string;
  sendAgain: boolean;
} & IntentFacts;

const callEnd = sql.raw(`clock_timestamp() + interval '${CALL_SECONDS} seconds'`);

/**
 * Publications are locked in the order of their ids, as everywhere, to avoid deadlocks. A repeated intent keeps its first
 * start time, because the post of the lost call may be that old, and what was listed before its first call. It uses up the
 * user's permission to send again; the call that it replaces is remembered, because it may have made a post all the same.
 * Each worker counts its announcements, so that a database that lost some is noticed. The transaction waits until it is on
 * disk, also behind a pooler, whose sessions may not (`SESSION_OPTIONS` in lib/db/connection.ts).
 */
const insertIntents = statement<{ intents: string }, { postId: number; worker: string; published: number }>(
  "publish-steps.announce",
  sql`
  with wanted as materialized (
    select * from jsonb_to_recordset(${value("intents", "jsonb")}) as w("publicationId" bigint, "postId" bigint, name text,
      fence int, worker uuid, "accountId" bigint, "ownerId" uuid, "sendAgain" boolean, "lookalikeKey" text, "listedBefore" text[])
  ), served as materialized (
    select w.* from wanted w join users u on u.id = w."ownerId" join accounts a on a.id = w."accountId"
    where ${isOwnerActive} and a.disconnected_at is null and a.held_since is null for share of u, a
  ), locked as materialized (
    select p.id from publications p where p.id in (select "publicationId" from served) order by p.id for no key update
  ), held as (
    update publications p set claim_until = greatest(claim_until, ${callEnd}),
      due_at = ${dueAtClaimEnd(sql`greatest(claim_until, ${callEnd})`)}, send_again = false
    from served w, locked
    where p.id = w."publicationId" and p.id = locked.id and p.claim_fence = w.fence and p.claim_worker = w.worker
      and p.claim_until > clock_timestamp() and ${isPublishingOpen}
      and (select set_config('synchronous_commit', 'on', true)) = 'on'
    returning w.*
  ), counted as (
    insert into publish_counts (worker_id, published, counted_at) select worker, count(*), clock_timestamp() from held group by 1
    on conflict (worker_id) do update set published = publish_counts.published + excluded.published, counted_at = excluded.counted_at
    returning worker_id, published
  ), replaced as (
    insert into deleted_calls (post_id, lookalike_key, sent_at)
    select t.post_id, t.lookalike_key, coalesce(t.sent_at, t.started_at) from held w join publish_steps t on t.post_id = w."postId" and t.name = w.name
    where w."sendAgain" and t.lookalike_key is not null
  )
  insert into publish_steps (post_id, name, state, irreversible, worker_id, started_at, sent_at, lookalike_key, listed_before)
  select "postId", name, 'SENDING', true, worker, clock_timestamp(), clock_timestamp(), "lookalikeKey", "listedBefore" from held
  on conflict (post_id, name) do update set state = 'SENDING', irreversible = true, worker_id = excluded.worker_id,
    sent_at = excluded.sent_at, result = null, finished_at = null
  returning post_id::float8 as "postId", worker_id as worker,
    (select published::float8 from counted where counted.worker_id = publish_steps.worker_id) as published`,
);

const announceIntents = batch(async (intents: Intent[]) => {
  const rows = await insertIntents(db, { intents: JSON.stringify(intents) });
  for (const { worker, published } of rows) noteAnnounced(worker, published);
  const announced = new Set(rows.map(({ postId }) => postId));
  return intents.map(({ postId }) => announced.has(postId));
});

/**
 * Announces a call that cannot be undone. One atomic statement for all calls that are about to be made checks that the claim
 * still holds and extends it beyond the call, that publishing is neither paused nor held, and that the owner and the account are active
 * (both rows are locked, so a removal happens either before or after the announcement).
 * @throws ClaimLost; Postponed while publishing is paused or held, or the owner is suspended; PlatformError if the account is gone
 */
export async function storeIntent(claim: Claim, postId: number, name: string, facts: IntentFacts = {}): Promise<void> {
  claim.worker.assertAlive();
  const { publicationId, fence, worker, account, ownerId, sendAgain } = claim;
  const intent = { publicationId, postId, name, fence, worker: worker.id, accountId: account.id, ownerId, sendAgain };
  if (!(await announceIntents({ ...intent, ...facts }))) throw await reasonNotAnnounced(claim);
  claim.sendAgain = false;
}

async function reasonNotAnnounced(claim: Claim): Promise<Error> {
  const [pause] = await db.select().from(publishingPause);
  if (pause) return new Postponed(PAUSE_SECONDS / env.timeFactor, "WAITING", "All publishing is paused");
  const hold = await publishingHold();
  if (hold) return new Postponed(PAUSE_SECONDS / env.timeFactor, "WAITING", "All publishing is held after a restore");
  const { rows } = await db.execute<{ gone: boolean; held: boolean; suspended: boolean; unconfirmed: boolean }>(sql`
    select a.disconnected_at is not null as gone, a.held_since is not null as unconfirmed, u.deleting_at is null and not ${isOwnerActive} as suspended,
      exists (select from publications where ${isClaimHeld(claim)}) as held
    from accounts a join users u on u.id = ${claim.ownerId} where a.id = ${claim.account.id}`);
  const [now] = rows;
  if (!now?.held) return new ClaimLost();
  if (now.gone) return new PlatformError("reconnect", "This account is no longer connected");
  if (now.unconfirmed)
    return new Postponed(PAUSE_SECONDS / env.timeFactor, "WAITING", "This account is waiting to be confirmed");
  return now.suspended
    ? new Postponed(PAUSE_SECONDS / env.timeFactor, "WAITING", "This user is suspended")
    : new ClaimLost();
}

/**
 * Stores a completed step or the start of a poll if the claim still holds. Both count as progress.
 * @throws ClaimLost
 */
export async function storeStep(
  claim: Claim,
  postId: number,
  name: string,
  state: "DONE" | "POLLING",
  result: unknown = null,
): Promise<void> {
  claim.worker.assertAlive();
  const { rows } = await db.execute(sql`
    with held as (
      update publications set claims = 0, claim_until = greatest(claim_until, ${secondsFromNow(CLAIM_SECONDS)}),
        due_at = ${dueAtClaimEnd(sql`greatest(claim_until, ${secondsFromNow(CLAIM_SECONDS)})`, "publications")}
      where ${isClaimHeld(claim)} returning id
    )
    insert into publish_steps (post_id, name, state, result, irreversible, worker_id, finished_at)
    select ${postId}, ${name}, ${state}, ${JSON.stringify(wrapResult(result))}::jsonb, false, ${claim.worker.id},
      ${state === "DONE" ? sql`clock_timestamp()` : null}::timestamptz from held
    on conflict (post_id, name) do update set state = excluded.state, result = excluded.result,
      worker_id = excluded.worker_id, finished_at = excluded.finished_at
    returning post_id`);
  if (rows.length === 0) throw new ClaimLost();
}

type IntentResult = { postId: number; name: string; worker: string; result: { value: unknown } };

const updateOutcomes = statement<{ made: string }, { postId: number; name: string }>(
  "publish-steps.outcome",
  sql`
  with made as materialized (
    select * from jsonb_to_recordset(${value("made", "jsonb")}) as m("postId" bigint, name text, worker uuid, result jsonb)
  )
  update publish_steps t set state = 'DONE', result = m.result, finished_at = clock_timestamp() from made m
  where t.post_id = m."postId" and t.name = m.name and t.worker_id = m.worker
    and (t.state = 'SENDING' or t.state = 'DONE' and t.result = m.result)
  returning post_id::float8 as "postId", t.name`,
);

const storeOutcomes = batch(async (all: IntentResult[]) => {
  const rows = await updateOutcomes(db, { made: JSON.stringify(all) });
  return all.map(({ postId, name }) => rows.some((row) => row.postId === postId && row.name === name));
});

/**
 * Stores the result of an announced call. The claim may have expired in the meantime: the answer is still valid, and the worker
 * that holds the publication now finds it. The same result can be stored again, if it is not known whether it was stored.
 * @throws ClaimLost if the intent belongs to another worker now
 */
export async function storeOutcome(claim: Claim, postId: number, name: string, result: unknown): Promise<void> {
  if (!(await storeOutcomes({ postId, name, worker: claim.worker.id, result: wrapResult(result) })))
    throw new ClaimLost();
}

/** Deletes an intent whose call certainly had no effect. */
export async function deleteIntent(claim: Claim, postId: number, name: string): Promise<void> {
  await db.delete(publishSteps).where(and(isIntent(postId, name), eq(publishSteps.workerId, claim.worker.id)));
}

/**
 * Wraps a result in an object. A bare JSON string would be parsed again when it is read, which rounds ids of 19 digits.
 */
const wrapResult = (value: unknown) => ({ value: value ?? null });

/** Returns the result of a completed step. The only cast to the type with which the same step stored it. */
export function resultOf<T>({ result }: Pick<Step, "result">): T {
  return (result as { value: T }).value;
}

/**
 * Stores that a call of this worker has ended without a clear answer. The waits of its lookups begin now. Nothing is stored if
 * another worker has announced the call again.
 */
export async function storeUnclearEnd(claim: Claim, postId: number, name: string, state: LookupState): Promise<void> {
  const ended = { result: state, finishedAt: sql`clock_timestamp()` };
  const isOwn = eq(publishSteps.workerId, claim.worker.id);
  await db
    .update(publishSteps)
    .set(ended)
    .where(and(isIntent(postId, name), isOwn));
}

/** Stores what the lookups of a call have shown so far. Nothing is stored if the call was announced again since it was read. */
export async function storeLookupState({ postId, name, workerId, sentAt }: Step, state: LookupState): Promise<void> {
  const isSameCall = and(
    eq(publishSteps.workerId, workerId),
    sql`${publishSteps.sentAt} is not distinct from ${sentAt}`,
  );
  await db
    .update(publishSteps)
    .set({ result: state })
    .where(and(isIntent(postId, name), isSameCall));
}

/** Stores the result that a lookup found for a lost call. Unlike the answer of the call itself, it requires the claim. */
export async function storeFound(claim: Claim, postId: number, name: string, result: unknown): Promise<void> {
  const found = { state: "DONE", result: wrapResult(result), finishedAt: sql`clock_timestamp()` } as const;
  await changeClaimed(claim, { claims: 0 }, (tx) => tx.update(publishSteps).set(found).where(isIntent(postId, name)));
}

const isIntent = (postId: number, name: string) =>
  and(eq(publishSteps.postId, postId), eq(publishSteps.name, name), eq(publishSteps.state, "SENDING"));

/**
 * Deletes all steps of a post whose outcome stays unknown, because the user allowed sending it again. That uses up the permission.
 * @throws ClaimLost
 */
export async function deleteSteps(claim: Claim, postId: number): Promise<void> {
  await changeClaimed(claim, { sendAgain: false }, async (tx) => {
    await rememberCalls(tx, postId);
    await tx.delete(publishSteps).where(eq(publishSteps.postId, postId));
  });
}

/**
 * The network discarded what was sent, so the steps no longer leave an outcome open and the next attempt starts over.
 * @throws ClaimLost
 */
export async function markStepsReversible(claim: Claim, post: Post): Promise<void> {
  const sent = and(eq(publishSteps.postId, post.id), eq(publishSteps.state, "DONE"));
  await changeClaimed(claim, { claims: 0 }, (tx) => tx.update(publishSteps).set({ irreversible: false }).where(sent));
}
