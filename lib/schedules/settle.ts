import { sql } from "drizzle-orm";
import { db } from "../db";
import type { Published } from "../networks";
import { type Claim, ClaimLost } from "./claim";
import type { Post } from "./read";
import { type Outcome, settleOne } from "./settle-all";

/** Records that a post is out. */
export async function settlePublished(claim: Claim, post: Post, published: Published): Promise<void> {
  const says = published.note ? `The post is out. ${published.note}` : "The post is out";
  await settlePublication(claim, post, { status: "PUBLISHED", says, published });
}

/** Records that a post is not out, or that nobody can tell, with the reason; the posts after it stay unsent. */
export async function settleFailed(claim: Claim, post: Post, outcome: Omit<Outcome, "published">): Promise<void> {
  const { status, says } = outcome;
  const sent = status === "FAILED" ? await irreversibleSteps(post) : [];
  if (sent.includes("SENDING")) {
    // Whatever ended it, the final call had been sent before: a post that may be live is never called failed.
    const doubt =
      "The final call had been sent before and was never answered, so the post may be live: look there first.";
    return settlePublication(claim, post, { ...outcome, status: "UNKNOWN", says: `${says} ${doubt}` });
  }
  const part = "A part of this post may be public already: look there before you send it again.";
  const reason = sent.includes("DONE") ? `${says} ${part}` : says;
  await settlePublication(claim, post, { ...outcome, says: `${reason}${liveBefore(claim, post)}` });
}

/** A thread that ends half-way says what of it is live. */
function liveBefore(claim: Claim, post: Post): string {
  const live = claim.posts.filter(({ position, status }) => position < post.position && status === "PUBLISHED").length;
  if (live === 0) return "";
  return live === 1 ? ". The post before it is live" : `. The ${live} posts before it are live`;
}

/** The states of the calls of a post that cannot be taken back. */
async function irreversibleSteps(post: Post): Promise<string[]> {
  const { rows } = await db.execute<{ state: string }>(
    sql`select state from publish_steps where post_id = ${post.id} and irreversible`,
  );
  return rows.map(({ state }) => state);
}

/**
 * Records how a post ended. Its own status, its publication's, the schedule's and the story are one transaction, and so is
 * whatever tells others of it.
 * @throws ClaimLost
 */
async function settlePublication(claim: Claim, post: Post, outcome: Outcome): Promise<void> {
  claim.worker.assertAlive();
  if (!(await settleOne({ claim, post, outcome }))) throw new ClaimLost();
  post.status = outcome.status;
}
