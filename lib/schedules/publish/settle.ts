import { sql } from "drizzle-orm";
import { db } from "../../db";
import type { Published } from "../../networks";
import type { Post } from "../read";
import { type Claim, ClaimLost } from "./claim";
import { type Outcome, settleOne } from "./settle-batch";
import { isOpen } from "./steps";

/** Records that a post is out. */
export async function settlePublished(claim: Claim, post: Post, published: Published): Promise<void> {
  const says = published.note ? `The post is out. ${published.note}` : "The post is out";
  await settlePublication(claim, post, { status: "PUBLISHED", says, published });
}

/**
 * Records that a post is not out, or that nobody can tell, with the reason; the posts after it stay unsent.
 * @param isCertain that what was not sent before never will be: no trouble of ours with a post that may be live
 */
export async function settleFailed(
  claim: Claim,
  post: Post,
  outcome: Omit<Outcome, "published">,
  isCertain = false,
): Promise<void> {
  const { status, says } = outcome;
  const sent = status === "FAILED" ? await sentSteps(post) : [];
  const isOpen = sent.some(({ open }) => open);
  if (isOpen || (sent.length > 0 && !isCertain)) {
    // Whatever ended it, a post that may be live is never called failed.
    const was = isOpen ? "The final call had been sent before" : "Something of it had been sent before";
    const doubt = `${was}, so the post may be live: look there first.`;
    return settlePublication(claim, post, { ...outcome, status: "UNKNOWN", says: `${sentence(says)} ${doubt}` });
  }
  const part = "A part of this post may be public already: look there before you send it again.";
  const reason = sent.length > 0 ? `${sentence(says)} ${part}` : says;
  await settlePublication(claim, post, { ...outcome, says: `${reason}${liveBefore(claim, post)}` });
}

const sentence = (says: string) => (says.endsWith(".") ? says : `${says}.`);

/** A thread that ends half-way says what of it is live. */
function liveBefore(claim: Claim, post: Post): string {
  const live = claim.posts.filter(({ position, status }) => position < post.position && status === "PUBLISHED").length;
  if (live === 0) return "";
  return live === 1 ? ". The post before it is live" : `. The ${live} posts before it are live`;
}

/** The calls of a post that cannot be taken back, and what else leaves open whether it is out. */
async function sentSteps(post: Post): Promise<{ open: boolean }[]> {
  const { rows } = await db.execute<{ open: boolean }>(
    sql`select coalesce(${isOpen("t")}, false) as open from publish_steps t
      where t.post_id = ${post.id} and (t.irreversible or ${isOpen("t")})`,
  );
  return rows;
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
