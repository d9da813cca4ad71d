import { createHash } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import { db, isUniqueViolation, posts, type Tx } from "../../db";
import { statement, value } from "../../db/statement";
import {
  chooseLookalike,
  earliestCreation,
  Indistinguishable,
  type Lookup,
  type NetworkSession,
  PlatformError,
  type Recovery,
} from "../../networks";
import type { Post } from "../read";
import type { Claim, Step } from "./claim";

/**
 * What protects a lookup from adopting another post. Some networks have no handle for a lost call: a lookup lists the posts
 * that look the same, and one of them must be certainly ours (`chooseLookalike`).
 * - Before the call, the lookalikes that are listed already are stored with the intent, so they are never adopted.
 * - Networks stamp posts by their own clock. An answer states its time, which is compared with the database's.
 * - A lookalike whose ID belongs to another post of ours is never adopted, whoever owns that post.
 * - Another post of ours with the same `lookalikeKey` may be live under an ID that we do not know, because its outcome is
 *   open or because only a handle is known. Then nothing is adopted.
 * - Both rules also apply to posts that were deleted here, and to the earlier calls of posts that were sent again
 *   (`deleted_calls`, ADR 47).
 * - The adopted ID is stored with the post at once. A unique index allows each ID of a place once.
 */

/** What an intent stores for its lookups. */
export type IntentFacts = { lookalikeKey?: string; listedBefore?: string[] };

/** Returns the account or destination whose posts a network lists together. */
export function destinationKeyOf({ account }: Claim, { chatId }: Post): string {
  return `${account.platform} ${chatId ?? account.networkAccountId}`;
}

/** Reads what the intent of a call must store so that a lost answer can be looked up safely. */
export async function intentFacts<T>(claim: Claim, post: Post, recovery?: Recovery<T>): Promise<IntentFacts> {
  const { lookalikes } = recovery ?? {};
  if (!lookalikes) return {};
  const lookalikeKey = lookalikeKeyOf(claim, post, lookalikes.likeness);
  const read = async () => (await lookalikes.list?.(earliestCreation(new Date())))?.map(({ id }) => id);
  // A post can be published even if the network's list cannot be read. Lookups are then more careful.
  const listedBefore = await read()
    .catch(retryOnce(read))
    .catch((error: unknown) => ignoreUnlessTokenRefused(error));
  return { lookalikeKey, listedBefore };
}

export function lookalikeKeyOf(claim: Claim, post: Post, likeness: unknown): string {
  const identity = JSON.stringify([destinationKeyOf(claim, post), likeness]);
  return createHash("sha256").update(identity).digest("base64url");
}

const retryOnce =
  <T>(work: () => Promise<T>) =>
  (error: unknown): Promise<T> =>
    error instanceof PlatformError && error.answer?.status !== 401 ? work() : Promise.reject(error);

function ignoreUnlessTokenRefused(error: unknown): undefined {
  if (!(error instanceof PlatformError) || error.answer?.status === 401) throw error;
}

/** Opens the lookup of a lost call. `session` reads the network. */
export function openLookup<T>(
  claim: Claim,
  post: Post,
  intent: Step,
  { lookalikes }: Pick<Recovery<T>, "lookalikes">,
  { statedTime }: Pick<NetworkSession, "statedTime">,
): Lookup {
  const key = lookalikeKeyOf(claim, post, lookalikes?.likeness);
  const since = new Date(intent.startedAt);
  const from = earliestCreation(since);
  const place = destinationKeyOf(claim, post);
  return {
    since,
    from,
    async identify(listed) {
      // Read after the list: each post of ours that it shows had stored its intent before.
      const ids = listed.map(({ id }) => id);
      const [rivals] = await readRivals(db, { key, ids, place, postId: post.id, startedAt: intent.startedAt });
      const { heldIds = [], hasRival = true, nowMs = Date.now() } = rivals ?? {};
      const listedBefore = intent.listedBefore ?? undefined;
      // Both clocks: the network stated its time before the database did.
      const stated = statedTime();
      const aheadMs = stated && stated.getTime() - nowMs;
      const found = chooseLookalike(listed, { since, from, aheadMs, listedBefore, heldIds, hasRival });
      if (found) await reserveId(post, place, found.id);
      return found;
    },
  };
}

/** A post that is known only by a handle, or not at all, may appear in the network's lists this much later. */
const LISTED_WITHIN = sql.raw("interval '1 day'");

type Rivals = { heldIds: string[]; hasRival: boolean; nowMs: number };

const key = value("key", "text");
const ids = value("ids", "text[]");
const place = value("place", "text");
const postId = value("postId", "bigint");
const sentFrom = sql`${value("startedAt", "timestamptz")} - ${LISTED_WITHIN}`;

/**
 * Returns which of these IDs belong to other posts of ours, and whether one that looks the same may be live under an ID that
 * we do not know. A published post with a permalink has its final ID, and so does one whose ID is listed. If a post has several
 * calls, as several stories have, the ID of only one of them is known. One statement reads posts and deleted calls, so that a
 * post that is deleted meanwhile is found in one of them.
 */
const readRivals = statement<{ key: string; ids: string[]; place: string; postId: number; startedAt: string }, Rivals>(
  "publish-steps.rivals",
  sql`
  select
    array(
      select q.network_post_id from posts q
      where q.network_place = ${place} and q.network_post_id = any(${ids}) and q.id <> ${postId}
      union all
      select listed.id from unnest(${ids}) as listed (id)
      where exists (select from deleted_calls d where d.post_hash = network_post_hash(${place}, listed.id))
    ) as "heldIds",
    exists (
      select from publish_steps t join posts q on q.id = t.post_id
      where t.lookalike_key = ${key} and t.post_id <> ${postId} and t.irreversible
        and coalesce(t.sent_at, t.started_at) > ${sentFrom}
        and ((q.status = 'PUBLISHED' and (q.permalink is not null or q.network_post_id = any(${ids}))) is not true
          or exists (select from publish_steps s
            where s.post_id = t.post_id and s.name <> t.name and s.lookalike_key = t.lookalike_key and s.irreversible))
    ) or exists (
      select from deleted_calls d
      where d.lookalike_key = ${key} and d.post_id <> ${postId} and d.sent_at > ${sentFrom}
        and (not d.is_id_final
          and not exists (select from unnest(${ids}) as listed (id) where d.post_hash = network_post_hash(${place}, listed.id))
          or exists (select from deleted_calls s where s.post_id = d.post_id and s.id <> d.id and s.lookalike_key = d.lookalike_key))
    ) as "hasRival",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`,
);

/**
 * Remembers the calls of a post that it is about to forget, because its owner allowed sending it again: its first call may have
 * made a post all the same. The calls of deleted posts are remembered by a trigger.
 */
export async function rememberCalls(tx: Tx, postId: number): Promise<void> {
  await tx.execute(sql`
    insert into deleted_calls (post_id, lookalike_key, sent_at)
    select post_id, lookalike_key, coalesce(sent_at, started_at) from publish_steps
    where post_id = ${postId} and irreversible and lookalike_key is not null`);
}

/** Small enough that no statement holds its row locks for long. */
const CALLS = 1_000;

/**
 * A later call needs a deleted one while that may still appear in lists. An earlier call needs it as long as its own outcome is
 * open, because its owner can ask for another lookup at any time. After a restore, the earlier calls have no intents yet.
 */
const deleteCalls = statement<Record<never, never>, { count: number }>(
  "deleted-calls.delete",
  sql`
  with unneeded as materialized (
    select d.id from deleted_calls d
    where d.sent_at < now() - ${LISTED_WITHIN} and not exists (select from installation where held_at is not null)
      and not exists (
        select from publish_steps t join posts q on q.id = t.post_id
        where t.lookalike_key = d.lookalike_key and t.post_id <> d.post_id
          and q.status in ('PENDING', 'IN_PROGRESS', 'UNKNOWN') offset 0)
    order by d.id limit ${sql.raw(String(CALLS))}
  ), deleted as (
    delete from deleted_calls where id in (select id from unneeded) returning id
  )
  select count(*)::int as count from deleted`,
);

/** Deletes the deleted calls that no lookup needs any more, in batches. Returns their number. */
export async function deleteUnneededCalls(signal?: AbortSignal): Promise<number> {
  let [total, count] = [0, CALLS];
  for (; count === CALLS && !signal?.aborted; total += count) count = (await deleteCalls(db, {}))[0]?.count ?? 0;
  return total;
}

/** @throws Indistinguishable if another post of ours has this ID by now */
async function reserveId(post: Post, networkPlace: string, networkPostId: string): Promise<void> {
  try {
    await db
      .update(posts)
      .set({ networkPlace, networkPostId })
      .where(and(eq(posts.id, post.id), ne(posts.status, "PUBLISHED")));
  } catch (error) {
    if (isUniqueViolation(error)) throw new Indistinguishable();
    throw error;
  }
}
