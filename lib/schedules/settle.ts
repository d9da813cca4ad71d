import { sql } from "drizzle-orm";
import { db, type PublicationStatus, type ScheduleStatus, type Tx } from "../db";
import type { NetworkAnswer, Published } from "../networks";
import { type Claim, ClaimLost, inSeconds, isHeld, lockedParts } from "./claim";
import type { Post } from "./read";
import { publicationStatus, scheduleStatus } from "./status";
import { tell } from "./story";

type Outcome = {
  status: Extract<PublicationStatus, "PUBLISHED" | "FAILED" | "UNKNOWN">;
  says: string;
  published?: Published;
  answer?: NetworkAnswer;
  /** When the network is read once more; absent: not by itself. */
  lookAgainSeconds?: number;
};

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
  await db.transaction(async (tx) => {
    const parts = (await lockedParts(tx, claim.scheduleId)).map((part) =>
      part.postId === post.id ? { ...part, status: outcome.status } : part,
    );
    const mine = publicationStatus(
      parts.filter((part) => part.publicationId === claim.publicationId).map(({ status }) => status),
    );
    const wholes = new Map(parts.map(({ publicationId, whole }) => [publicationId, whole]));
    wholes.set(claim.publicationId, mine);
    const whole = scheduleStatus(
      [...wholes].map(([id, status]) => ({
        status,
        isLiveInPart: parts.some((part) => part.publicationId === id && part.status === "PUBLISHED"),
      })),
    );
    await store(tx, claim, post, outcome, mine, whole);
    const againSeconds = outcome.lookAgainSeconds;
    await tell(tx, claim, post, { outcome: outcome.status, says: outcome.says, answer: outcome.answer, againSeconds });
    // An event for this outcome, and its deliveries, belong here: in the transaction that makes it true.
  });
  post.status = outcome.status;
}

async function store(
  tx: Tx,
  claim: Claim,
  post: Post,
  { status, says, published, lookAgainSeconds }: Outcome,
  mine: PublicationStatus,
  whole: ScheduleStatus,
): Promise<void> {
  const isOver = mine !== "IN_PROGRESS" && mine !== "PENDING";
  const dueAt = lookAgainSeconds === undefined ? sql`null::timestamptz` : inSeconds(lookAgainSeconds);
  // When the call that made the post public was answered, as near as it is known.
  const answeredAt = sql`coalesce((select max(finished_at) from publish_steps where post_id = ${post.id}), clock_timestamp())`;
  const { rows } = await tx.execute(sql`
    with held as (
      update publications set status = ${mine}, claims = 0,
        lease_worker = case when ${isOver} then null else lease_worker end,
        lease_until = case when ${isOver} then null else lease_until end,
        due_at = case when ${isOver} then ${dueAt} else due_at end
      where ${isHeld(claim)} returning id
    ), post as (
      update posts set status = ${status}, network_post_id = ${published?.id ?? null},
        permalink = ${published?.permalink ?? null}, error = ${published ? null : says},
        published_at = ${published ? answeredAt : null}
      from held where posts.id = ${post.id}
    )
    update schedules set status = ${whole}, updated_at = now() from held where schedules.id = ${claim.scheduleId}
    returning schedules.id`);
  if (rows.length === 0) throw new ClaimLost();
}
