import { sql } from "drizzle-orm";
import { db } from "../../db";
import { log } from "../../log";
import type { Published } from "../../networks";
import { platforms } from "../../platforms";
import type { Post } from "../read";
import { type Claim, ClaimLost } from "./claim";
import { type PostOutcome, settleInBatch } from "./settle-batch";
import { isUnresolvedStep } from "./steps";

/** Records that a post was published. */
export async function settlePublished(claim: Claim, post: Post, published: Published): Promise<void> {
  const message = [published.isDraft ? "The post is handed over, but not out" : "The post is out", published.note]
    .filter(Boolean)
    .join(". ");
  await settlePublication(claim, post, { status: "PUBLISHED", message, published });
}

/**
 * Records that a post failed or that its outcome is unknown, with the reason. The posts after it are not sent.
 * @param isCertain false for an internal error after which the post may be live
 */
export async function settleFailed(
  claim: Claim,
  post: Post,
  outcome: Omit<PostOutcome, "published">,
  isCertain = false,
): Promise<void> {
  const { status, message } = outcome;
  const sent = status === "FAILED" ? await sentSteps(post) : [];
  const isOpen = sent.some(({ open }) => open);
  if (isOpen || (sent.length > 0 && !isCertain)) {
    // A post that may be live is never recorded as failed.
    const was = isOpen ? "The final call had been sent before" : "A part of it had been sent before";
    const doubt = `${was}, so the post may be live: look there first.`;
    return settlePublication(claim, post, {
      ...outcome,
      status: "UNKNOWN",
      message: `${withFullStop(message)} ${doubt}`,
    });
  }
  const part = "A part of this post may be public already: look there before you send it again.";
  const reason = sent.length > 0 ? `${withFullStop(message)} ${part}` : message;
  await settlePublication(claim, post, { ...outcome, message: `${reason}${livePostsSentence(claim, post)}` });
}

const withFullStop = (message: string) => (message.endsWith(".") ? message : `${message}.`);

/** Returns the sentence about the posts of a thread that are live although a later one failed. */
function livePostsSentence(claim: Claim, post: Post): string {
  const live = claim.posts.filter(({ position, status }) => position < post.position && status === "PUBLISHED").length;
  if (live === 0) return "";
  return live === 1 ? ". The post before it is live" : `. The ${live} posts before it are live`;
}

/** Reads the steps of a post that cannot be undone or that leave its outcome open. @param start how their names begin */
export async function sentSteps(post: Post, start = ""): Promise<{ open: boolean }[]> {
  const { rows } = await db.execute<{ open: boolean }>(
    sql`select coalesce(${isUnresolvedStep("t")}, false) as open from publish_steps t
      where t.post_id = ${post.id} and (t.irreversible or ${isUnresolvedStep("t")}) and starts_with(t.name, ${start})`,
  );
  return rows;
}

/**
 * Records the outcome of a post. Its status, the statuses of its publication and schedule, the attempt and the events are
 * written in one transaction.
 * @throws ClaimLost
 */
async function settlePublication(claim: Claim, post: Post, outcome: PostOutcome): Promise<void> {
  claim.worker.assertAlive();
  if (!(await settleInBatch({ claim, post, outcome }))) throw new ClaimLost();
  post.status = outcome.status;
  const ids = { publication: claim.publicationId, schedule: claim.scheduleId, post: post.id };
  log.info({ ...ids, network: platforms[claim.account.platform], outcome: outcome.status }, "a post was settled");
}
