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
  const sent = status === "FAILED" ? await irreversibleSteps(post) : [];
  if (sent.includes("SENDING")) {
    // Whatever ended it, the final call had been sent before: a post that may be live is never called failed.
    const doubt =
      "The final call had been sent before and was never answered, so the post may be live: look there first.";
    return settle(claim, post, "UNKNOWN", { error: `${reason} ${doubt}` });
  }
  const part = "A part of this post may be public already: look there before you send it again.";
  await settle(claim, post, status, { error: sent.includes("DONE") ? `${reason} ${part}` : reason });
}

/** The states of the calls of a post that cannot be taken back. */
async function irreversibleSteps(post: Post): Promise<string[]> {
  const which = and(eq(publishSteps.postId, post.id), eq(publishSteps.irreversible, true));
  return (await db.select({ state: publishSteps.state }).from(publishSteps).where(which)).map(({ state }) => state);
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
