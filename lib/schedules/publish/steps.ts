import { and, eq, sql } from "drizzle-orm";
import { db, publications, publishingPause, publishSteps } from "../../db";
import { statement, value } from "../../db/statement";
import { batch } from "../../db/together";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import type { Post } from "../read";
import { type Claim, ClaimLost, inSeconds, isHeld, isServed, LEASE_SECONDS, type Step } from "./claim";
import { ComeBack } from "./outcomes";

/** What a poll remembers that goes on after the final call was accepted. */
export const AFTER_COMMIT = "after commit";

/** The steps of a post that leave open whether it is out: a call without an answer, and a poll after an accepted call. */
export function openSteps({ steps }: Claim, post: Post): Step[] {
  return steps.filter(
    (step) =>
      step.postId === post.id && (step.state === "SENDING" || (step.state === "POLLING" && isAfterCommit(step))),
  );
}

/** Whether a call of this post went out that cannot be taken back. */
export function wasSent(claim: Claim, post: Post): boolean {
  const isSent = claim.steps.some(({ postId, irreversible }) => postId === post.id && irreversible);
  return isSent || openSteps(claim, post).length > 0;
}

/** Open steps in SQL, of a row of `publish_steps` by this name. */
export const isOpen = (row: string) => {
  const step = sql.identifier(row);
  return sql`(${step}.state = 'SENDING' or ${step}.state = 'POLLING' and ${step}.result ->> 'value' = ${AFTER_COMMIT})`;
};

const isAfterCommit = (step: Step) => step.result !== null && resultOf(step) === AFTER_COMMIT;

/** The longest call of any adapter, and some more: an intent's claim outlives the call that it announces. */
const CALL_SECONDS = 330;
const PAUSE_SECONDS = 5;

/** What is known of an intent without an outcome. */
export type Doubt = {
  /** The network answered, with a fault of its own. */
  answered: boolean;
  /** A repeat was refused because the network has this very post. */
  duplicate?: boolean;
  /** How often the network was read and showed nothing. */
  looks: number;
};

type Intent = {
  publicationId: number;
  postId: number;
  name: string;
  fence: number;
  worker: string;
  accountId: number;
  ownerId: string;
};

const callEnd = sql.raw(`clock_timestamp() + interval '${CALL_SECONDS} seconds'`);

/**
 * Publications are locked in the order of their ids, as everybody locks several. A repeated intent keeps its first time:
 * what the lost call made may be as old as that.
 */
const insertIntents = statement<{ intents: string }, { postId: number }>(
  "publish-steps.announce",
  sql`
  with wanted as materialized (
    select * from jsonb_to_recordset(${value("intents", "jsonb")}) as w("publicationId" bigint, "postId" bigint, name text,
      fence int, worker uuid, "accountId" bigint, "ownerId" uuid)
  ), served as materialized (
    select w.* from wanted w join users u on u.id = w."ownerId" join accounts a on a.id = w."accountId"
    where ${isServed} and a.disconnected_at is null and a.held_since is null for share of u, a
  ), locked as materialized (
    select p.id from publications p where p.id in (select "publicationId" from served) order by p.id for no key update
  ), held as (
    update publications p set claim_until = greatest(claim_until, ${callEnd}), due_at = greatest(claim_until, ${callEnd})
    from served w, locked
    where p.id = w."publicationId" and p.id = locked.id and p.claim_fence = w.fence and p.claim_worker = w.worker
      and p.claim_until > clock_timestamp() and not exists (select from publishing_pause)
    returning w."postId", w.name, w.worker
  )
  insert into publish_steps (post_id, name, state, irreversible, worker_id, started_at, sent_at)
  select "postId", name, 'SENDING', true, worker, clock_timestamp(), clock_timestamp() from held
  on conflict (post_id, name) do update set state = 'SENDING', irreversible = true, worker_id = excluded.worker_id,
    sent_at = excluded.sent_at, result = null, finished_at = null
  returning post_id::float8 as "postId"`,
);

const announce = batch(async (intents: Intent[]) => {
  const rows = await insertIntents(db, { intents: JSON.stringify(intents) });
  const announced = new Set(rows.map(({ postId }) => postId));
  return intents.map(({ postId }) => announced.has(postId));
});

/**
 * Announces a call that cannot be taken back. One statement for all calls that are about to be made, so that nothing comes
 * between: the claim still holds and is made to outlast the call; publishing is not paused; neither the owner's nor the
 * account's removal, or its being held, came before (both rows are locked, so that it comes before this or after it).
 * @throws ClaimLost; ComeBack while publishing is paused or the owner suspended; PlatformError where the account is gone
 */
export async function storeIntent(claim: Claim, postId: number, name: string): Promise<void> {
  claim.worker.assertAlive();
  const { publicationId, fence, worker, account, ownerId } = claim;
  const intent = { publicationId, postId, name, fence, worker: worker.id, accountId: account.id, ownerId };
  if (!(await announce(intent))) throw await whyNot(claim);
}

async function whyNot(claim: Claim): Promise<Error> {
  const [pause] = await db.select().from(publishingPause);
  if (pause) return new ComeBack(PAUSE_SECONDS / env.timeFactor, "WAITING", "All publishing is paused");
  const { rows } = await db.execute<{ gone: boolean; held: boolean; suspended: boolean; unconfirmed: boolean }>(sql`
    select a.disconnected_at is not null as gone, a.held_since is not null as unconfirmed, u.deleting_at is null and not ${isServed} as suspended,
      exists (select from publications where ${isHeld(claim)}) as held
    from accounts a join users u on u.id = ${claim.ownerId} where a.id = ${claim.account.id}`);
  const [now] = rows;
  if (!now?.held) return new ClaimLost();
  if (now.gone) return new PlatformError("reconnect", "This account is no longer connected");
  if (now.unconfirmed)
    return new ComeBack(PAUSE_SECONDS / env.timeFactor, "WAITING", "This account waits to be confirmed");
  return now.suspended
    ? new ComeBack(PAUSE_SECONDS / env.timeFactor, "WAITING", "This user is suspended")
    : new ClaimLost();
}

/**
 * Remembers a step, or that a poll has begun, while the claim holds; either is progress.
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
      update publications set claims = 0, claim_until = greatest(claim_until, ${inSeconds(LEASE_SECONDS)}),
        due_at = greatest(claim_until, ${inSeconds(LEASE_SECONDS)})
      where ${isHeld(claim)} returning id
    )
    insert into publish_steps (post_id, name, state, result, irreversible, worker_id, finished_at)
    select ${postId}, ${name}, ${state}, ${JSON.stringify(kept(result))}::jsonb, false, ${claim.worker.id},
      ${state === "DONE" ? sql`clock_timestamp()` : null}::timestamptz from held
    on conflict (post_id, name) do update set state = excluded.state, result = excluded.result,
      worker_id = excluded.worker_id, finished_at = excluded.finished_at
    returning post_id`);
  if (rows.length === 0) throw new ClaimLost();
}

type MadeBy = { postId: number; name: string; worker: string; result: { value: unknown } };

const updateOutcomes = statement<{ made: string }, { postId: number; name: string }>(
  "publish-steps.outcome",
  sql`
  with made as materialized (
    select * from jsonb_to_recordset(${value("made", "jsonb")}) as m("postId" bigint, name text, worker uuid, result jsonb)
  )
  update publish_steps t set state = 'DONE', result = m.result, finished_at = clock_timestamp() from made m
  where t.post_id = m."postId" and t.name = m.name and t.state = 'SENDING' and t.worker_id = m.worker
  returning post_id::float8 as "postId", t.name`,
);

const keepOutcome = batch(async (all: MadeBy[]) => {
  const rows = await updateOutcomes(db, { made: JSON.stringify(all) });
  return all.map(({ postId, name }) => rows.some((row) => row.postId === postId && row.name === name));
});

/**
 * Stores what a call that was announced has made. Its claim may have run out meanwhile: the answer is true nevertheless, so
 * that whoever has the publication now finds it made.
 * @throws ClaimLost where the intent is another's by now
 */
export async function storeOutcome(claim: Claim, postId: number, name: string, result: unknown): Promise<void> {
  if (!(await keepOutcome({ postId, name, worker: claim.worker.id, result: kept(result) }))) throw new ClaimLost();
}

/** Takes an intent back whose call certainly had no effect. */
export async function forgetIntent(claim: Claim, postId: number, name: string): Promise<void> {
  await db.delete(publishSteps).where(and(isIntent(postId, name), eq(publishSteps.workerId, claim.worker.id)));
}

/**
 * What was made, in an object: a JSON string of its own would be parsed once more when it is read, and an id of 19 digits
 * rounded.
 */
const kept = (value: unknown) => ({ value: value ?? null });

/** What a finished step made. The one place that trusts it to be of the type that the same step stored. */
export function resultOf<T>({ result }: Pick<Step, "result">): T {
  return (result as { value: T }).value;
}

export async function storeDoubt(postId: number, name: string, doubt: Doubt): Promise<void> {
  await db.update(publishSteps).set({ result: doubt }).where(isIntent(postId, name));
}

/** Adopts what was found of a lost call. Looking is the claim's, unlike the answer of a call. */
export async function storeFound(claim: Claim, postId: number, name: string, result: unknown): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await tx
      .update(publications)
      .set({ claims: 0 })
      .where(isHeld(claim))
      .returning({ id: publications.id });
    if (held.length === 0) throw new ClaimLost();
    await tx
      .update(publishSteps)
      .set({ state: "DONE", result: kept(result), finishedAt: sql`clock_timestamp()` })
      .where(isIntent(postId, name));
  });
}

const isIntent = (postId: number, name: string) =>
  and(eq(publishSteps.postId, postId), eq(publishSteps.name, name), eq(publishSteps.state, "SENDING"));

/** The network said that nothing came of what was sent: it is no reason for doubt any more, and another try begins anew. */
export async function forgetSent(post: Post): Promise<void> {
  const sent = and(eq(publishSteps.postId, post.id), eq(publishSteps.state, "DONE"));
  await db.update(publishSteps).set({ irreversible: false }).where(sent);
}
