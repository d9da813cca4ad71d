import { and, eq, sql } from "drizzle-orm";
import { db, type PublicationStatus, posts, publications, publishSteps, schedules, type Tx } from "../db";
import { enqueue } from "../jobs";
import type { Published } from "../networks";
import { type Claim, holdClaim, lockedStatuses } from "./claim";
import { publicationDue, publicationKey } from "./jobs";
import type { Post } from "./read";
import { publicationStatus, scheduleStatus } from "./status";

/** Records that a post is out; the schedule's status follows in the same transaction. */
export async function settlePublished(claim: Claim, post: Post, published: Published): Promise<void> {
  await settle(claim, post, "PUBLISHED", {
    networkPostId: published.id,
    permalink: published.permalink ?? null,
    publishedAt: sql`coalesce(${intentOf(post)}, clock_timestamp())`,
    error: null,
  });
}

/** Records that a post is not out, or that nobody can tell, with the reason; the posts after it stay unsent. */
export async function settleFailed(
  claim: Claim,
  post: Post,
  status: "FAILED" | "UNKNOWN",
  reason: string,
): Promise<void> {
  if (status === "FAILED" && (await hasOpenIntent(post))) {
    // Whatever ended it, the final call had been sent before: a post that may be live is never called failed.
    const doubt =
      "The final call had been sent before and was never answered, so the post may be live: look there first.";
    return settle(claim, post, "UNKNOWN", { error: `${reason} ${doubt}` });
  }
  await settle(claim, post, status, { error: reason });
}

async function hasOpenIntent(post: Post): Promise<boolean> {
  const open = and(eq(publishSteps.postId, post.id), eq(publishSteps.state, "SENDING"));
  return (await db.select({ name: publishSteps.name }).from(publishSteps).where(open)).length > 0;
}

/** When the call that made the post public was answered, as near as it is known. */
function intentOf(post: Post) {
  return sql`(select max(${publishSteps.finishedAt}) from ${publishSteps} where ${publishSteps.postId} = ${post.id})`;
}

async function settle(
  claim: Claim,
  post: Post,
  status: PublicationStatus,
  outcome: { [column: string]: unknown },
): Promise<void> {
  await db.transaction(async (tx) => {
    const statuses = await lockedStatuses(tx, claim.scheduleId);
    await holdClaim(claim, undefined, tx);
    await tx
      .update(posts)
      .set({ ...outcome, status })
      .where(eq(posts.id, post.id));
    const parts = await tx
      .select({ status: posts.status })
      .from(posts)
      .where(eq(posts.publicationId, claim.publicationId));
    const mine = publicationStatus(parts.map((part) => part.status));
    const done = mine !== "IN_PROGRESS" && mine !== "PENDING";
    await tx
      .update(publications)
      .set({ status: mine, ...(done ? { leaseWorker: null, leaseUntil: null } : {}) })
      .where(eq(publications.id, claim.publicationId));
    const all = statuses.map(({ id, status: other }) => (id === claim.publicationId ? mine : other));
    await tx
      .update(schedules)
      .set({ status: scheduleStatus(all), updatedAt: sql`now()` })
      .where(eq(schedules.id, claim.scheduleId));
  });
}

/** Gives the claim back and wakes the publication up again later. `failed` counts an attempt; being told to wait does not. */
export async function postpone(claim: Claim, seconds: number, { failed }: { failed: boolean }): Promise<void> {
  await db.transaction(async (tx: Tx) => {
    const rows = await tx
      .update(publications)
      .set({ leaseWorker: null, leaseUntil: null, ...(failed ? { attempts: sql`${publications.attempts} + 1` } : {}) })
      .where(and(eq(publications.id, claim.publicationId), eq(publications.fence, claim.fence)))
      .returning({ id: publications.id });
    if (rows.length === 0) return; // another worker has it, and wakes it itself
    await enqueue(
      tx,
      publicationDue,
      { publicationId: claim.publicationId },
      { at: { inSeconds: seconds }, key: publicationKey(claim.publicationId) },
    );
  });
}
