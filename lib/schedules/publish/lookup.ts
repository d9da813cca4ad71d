import { createHash } from "node:crypto";
import { and, eq, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import { db, isUniqueViolation, posts, publishSteps } from "../../db";
import {
  chooseLookalike,
  earliestCreation,
  Indistinguishable,
  type Lookup,
  PlatformError,
  type Recovery,
} from "../../networks";
import type { Post } from "../read";
import type { Claim, Step } from "./claim";

/**
 * What protects a lookup from adopting another post. Some networks have no handle for a lost call: a lookup lists the posts
 * that look the same, and one of them must be certainly ours (`chooseLookalike`).
 * - Before the call, the lookalikes that are listed already are stored with the intent, so they are never adopted.
 * - A lookalike whose ID belongs to another post of ours is never adopted, whoever owns that post.
 * - Another post of ours with the same `lookalikeKey` may be live under an ID that we do not know, because its outcome is
 *   open or because only a handle is known. Then nothing is adopted.
 * - The adopted ID is stored with the post at once. A unique index allows each ID of a place once.
 */

/** What an intent stores for its lookups. */
export type IntentFacts = { lookalikeKey?: string; listedBefore?: string[] };

/** Returns the account or destination whose posts a network lists together. */
export function placeOf({ account }: Claim, { chatId }: Post): string {
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
  const identity = JSON.stringify([placeOf(claim, post), likeness]);
  return createHash("sha256").update(identity).digest("base64url");
}

const retryOnce =
  <T>(work: () => Promise<T>) =>
  (error: unknown): Promise<T> =>
    error instanceof PlatformError && error.answer?.status !== 401 ? work() : Promise.reject(error);

function ignoreUnlessTokenRefused(error: unknown): undefined {
  if (!(error instanceof PlatformError) || error.answer?.status === 401) throw error;
}

/** Opens the lookup of a lost call. */
export function openLookup<T>(
  claim: Claim,
  post: Post,
  intent: Step,
  { lookalikes }: Pick<Recovery<T>, "lookalikes">,
): Lookup {
  const key = lookalikeKeyOf(claim, post, lookalikes?.likeness);
  const since = new Date(intent.startedAt);
  const from = earliestCreation(since);
  const place = placeOf(claim, post);
  return {
    since,
    from,
    async identify(listed) {
      // Read after the list: each post of ours that it shows had stored its intent before.
      const ids = listed.map(({ id }) => id);
      const [heldIds, hasRival] = await Promise.all([readHeldIds(place, ids, post), readHasRival(key, intent, ids)]);
      const { listedBefore } = intent;
      const found = chooseLookalike(listed, {
        since,
        from,
        listedBefore: listedBefore ?? undefined,
        heldIds,
        hasRival,
      });
      if (found) await reserveId(post, place, found.id);
      return found;
    },
  };
}

/** Returns which of these IDs belong to other posts of ours. */
async function readHeldIds(place: string, ids: string[], post: Post): Promise<string[]> {
  const rows = await db
    .select({ id: posts.networkPostId })
    .from(posts)
    .where(and(eq(posts.networkPlace, place), inArray(posts.networkPostId, ids), ne(posts.id, post.id)));
  return rows.flatMap(({ id }) => id ?? []);
}

/** A post that is known only by a handle, or not at all, may appear in the network's lists this much later. */
const LISTED_WITHIN = sql.raw("interval '1 day'");

/**
 * Whether another post of ours that looks the same may be live under an ID that we do not know. A published post with a
 * permalink has its final ID, and so does one whose ID is listed.
 */
async function readHasRival(key: string, intent: Step, listedIds: string[]): Promise<boolean> {
  const isIdKnown = or(isNotNull(posts.permalink), inArray(posts.networkPostId, listedIds));
  const [rival] = await db
    .select({ id: posts.id })
    .from(publishSteps)
    .innerJoin(posts, eq(posts.id, publishSteps.postId))
    .where(
      and(
        eq(publishSteps.lookalikeKey, key),
        ne(publishSteps.postId, intent.postId),
        eq(publishSteps.irreversible, true),
        sql`coalesce(${publishSteps.sentAt}, ${publishSteps.startedAt}) > ${intent.startedAt}::timestamptz - ${LISTED_WITHIN}`,
        sql`(${posts.status} = 'PUBLISHED' and ${isIdKnown}) is not true`,
      ),
    )
    .limit(1);
  return rival !== undefined;
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
