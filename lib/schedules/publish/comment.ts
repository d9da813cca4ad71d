import { sql } from "drizzle-orm";
import {
  openSession,
  pauseAccount,
  replaceRefusedToken,
  reportOperatorProblem,
  resolveOperatorProblems,
  withQuotaCounting,
} from "../../accounts";
import { type CommentOutcome, db, dbOrTransaction, isDatabaseUnavailable, publications } from "../../db";
import { statement, value } from "../../db/statement";
import { env } from "../../env";
import { WorkerLost } from "../../jobs";
import { failPoint } from "../../jobs/fail-point";
import { log } from "../../log";
import { type NetworkAnswer, networkOf, PlatformError, type Published } from "../../networks";
import { isOwnerActive } from "../../users";
import { emitComment } from "../events";
import type { Post } from "../read";
import { type AttemptEntry, recordAttempts } from "./attempts";
import { type Claim, ClaimLost, changeClaimed, claimingStatement, isClaimHeld, secondsFromNow } from "./claim";
import { withHealthTracking } from "./health";
import { OutcomeUnknown, Postponed, requestedWaitSeconds, TooLate } from "./outcomes";
import { AWAY_SECONDS, GIVE_UP_SECONDS, operatorMessage, pauseForRateLimit, retrySeconds } from "./record";
import { restoredStep, wasRestored } from "./restored";
import { openRun } from "./run";
import { sentSteps } from "./settle";

// The first comment of a publication, or the first reply to it (ADR 39). When a publication is published, a trigger of the database
// marks its comment as `PENDING`. A worker then claims the publication for the comment alone. The comment is sent with the same run
// as a post, so it has an intent and is never sent twice. Its outcome is its own: it changes neither the publication nor the account.

/** Begins the names of the comment's steps, which are stored with those of the last post. */
const STEPS = "first comment: ";
/** As for a publication, which probably crashes its worker. */
const MAX_CLAIMS = 3;
/** Publications with a comment that are read to find the next due one. If all of them are of suspended owners, there is none. */
const READ = 1_000;

/** Claims publications whose comment is due, unless their owner is suspended or their account or network has to wait. */
export const claimDueComments = claimingStatement<{ room: number }>(
  "publications.take-comments",
  sql`select p.id from publications p join accounts a on a.id = p.account_id
      join users u on u.id = a.owner_id and ${isOwnerActive}
      left join network_health h on h.platform = a.platform
    where p.comment_due_at <= clock_timestamp() and coalesce(p.claim_until < clock_timestamp(), true)
      and coalesce(a.wait_until < now(), true) and coalesce(h.closed_until < now(), true)
    order by p.comment_due_at limit ${value("room", "int")}`,
);

const readNextDue = statement<Record<string, never>, { nextMs: number | null }>(
  "publications.next-comment",
  sql`
  select (extract(epoch from min(greatest(p.comment_due_at, p.claim_until, a.wait_until, h.closed_until)) - clock_timestamp())
    * 1000)::float8 as "nextMs"
  from (select account_id, comment_due_at, claim_until from publications where comment_due_at is not null
      order by comment_due_at limit ${sql.raw(String(READ))}) p
    join accounts a on a.id = p.account_id
    join users u on u.id = a.owner_id and ${isOwnerActive}
    left join network_health h on h.platform = a.platform`,
);

/** Returns the milliseconds until a comment can next be claimed: zero or less if some can be now, and null if there are none. */
export async function untilNextComment(): Promise<number | null> {
  const [row] = await readNextDue(dbOrTransaction, {});
  return row?.nextMs ?? null;
}

/** While due comments cannot be claimed, or while the process gets no notifications. */
const OFTEN_MS = 1_000;
/** While no comment is due. The worker that settles a post looks at once, and the claims of a dead one are announced. */
const REST_MS = 5_000;

/** Returns the milliseconds until the next look for comments after one that claimed none. */
export function commentPauseMs(isListening: boolean, nextMs: number | null, restMs = REST_MS): number {
  if (nextMs !== null && nextMs <= 0) return OFTEN_MS;
  return Math.min(isListening ? restMs : OFTEN_MS, nextMs ?? restMs);
}

/** Sends the comment of a claimed publication, or looks it up. The outcome is recorded in the database. */
export async function publishFirstComment(claim: Claim, comment: CommentOutcome): Promise<void> {
  const post = claim.posts.at(-1);
  if (!post) throw new Error(`publication ${claim.publicationId} has no posts`);
  try {
    const { id, permalink } = await send(claim, post);
    await settle(claim, post, { status: "PUBLISHED", id, permalink });
  } catch (error) {
    return recordFailure(claim, post, comment, error);
  }
  if (comment.attempts) await resolveOperatorProblems(claim.account.platform, claim.publicationId);
}

async function send(claim: Claim, post: Post): Promise<Published> {
  const { account } = claim;
  const network = networkOf(account.platform);
  const { name, comment } = network;
  const { type: _, ...settings } = claim.settings;
  const { firstComment: text } = settings;
  if (!comment || typeof text !== "string") throw new PlatformError("rejected", `${name} takes no comment`);
  if (claim.claims > MAX_CLAIMS)
    throw new PlatformError("rejected", "Carillon started sending this comment three times without progress");
  // The network already had the post after a restore, so it may have the comment too.
  if (restoredStep(claim, post) || (wasRestored(claim, post) && !post.networkPostId))
    throw new OutcomeUnknown(name, false);
  if (!post.networkPostId)
    throw new PlatformError("rejected", `${name} did not report the post's ID, so the comment cannot be added to it`);
  const session = await openSession(account);
  claim.accessToken = session.tokens.accessToken;
  await failPoint("opened");
  const { scope } = comment;
  if (scope && session.tokens.scopes && !session.tokens.scopes.includes(scope))
    throw new PlatformError("rejected", missingScopeMessage(name));
  const counting = withQuotaCounting(withHealthTracking(session, account.platform), network, `comment ${post.id}`);
  const on = { id: post.networkPostId, permalink: post.permalink ?? undefined };
  const chatId = post.chatId ?? undefined;
  return comment.publish({ text, settings, on, chatId }, openRun(claim, post, counting, name, STEPS));
}

/** What to say if an account was connected without the permission for comments. */
export const missingScopeMessage = (network: string) =>
  `This account's permission at ${network} does not cover comments. Reconnect the account`;

async function recordFailure(claim: Claim, post: Post, comment: CommentOutcome, error: unknown): Promise<void> {
  if (error instanceof ClaimLost || error instanceof WorkerLost) throw error;
  if (error instanceof Postponed) {
    const { outcome, seconds } = error;
    const message = outcome === "LOOKING" ? notShownMessage(claim) : error.message;
    return postpone(claim, post, comment, { outcome, message, againSeconds: seconds });
  }
  if (error instanceof OutcomeUnknown) return settle(claim, post, { status: "UNKNOWN", error: unknownMessage(claim) });
  if (error instanceof PlatformError) return recordPlatformError(claim, post, comment, error);
  const stack = error instanceof Error ? error.stack : String(error);
  log.error({ publication: claim.publicationId, error: stack }, "a first comment failed with an internal error");
  if (isDatabaseUnavailable(error)) {
    const message = "Carillon's database was temporarily unavailable";
    return postpone(claim, post, comment, { outcome: "WAITING", message, againSeconds: AWAY_SECONDS });
  }
  await retryLater(claim, post, comment, { message: "Something went wrong on Carillon's side", isStuck: true });
}

async function recordPlatformError(
  claim: Claim,
  post: Post,
  comment: CommentOutcome,
  error: PlatformError,
): Promise<void> {
  const { kind, answer, message, throttled } = error;
  log.info({ publication: claim.publicationId, kind, answer }, `first comment: ${message}`);
  switch (kind) {
    case "rejected":
      return settleFailed(claim, post, error instanceof TooLate ? TOO_LATE : message, answer);
    case "reconnect":
      // The account stays connected, because only the permission for comments may be missing.
      if (await replaceRefusedToken(claim.account, claim.accessToken))
        return postpone(claim, post, comment, { outcome: "RETRYING", message, answer, againSeconds: 0 });
      return settleFailed(claim, post, message, answer);
    case "operator": {
      await reportOperatorProblem(claim.account.platform, error);
      const waitSeconds = error.isWaitStated ? requestedWaitSeconds(error) : undefined;
      if (waitSeconds !== undefined && throttled) await pauseAccount(claim.account.id, waitSeconds);
      return retryLater(claim, post, comment, { message: operatorMessage(error), answer, waitSeconds });
    }
    case "later":
    case "unknown": {
      const waitSeconds = throttled ? await pauseForRateLimit(claim, error) : requestedWaitSeconds(error);
      return retryLater(claim, post, comment, { message, answer, waitSeconds });
    }
  }
}

const TOO_LATE = "The comment could not be sent within 24 hours of the scheduled time, so it was not sent";

const unknownMessage = ({ account }: Claim) =>
  `${networkOf(account.platform).name} cannot tell whether this comment was published. ` +
  "Look at the post before you write it again; Carillon will not by itself.";

const notShownMessage = ({ account }: Claim) =>
  `${networkOf(account.platform).name} has not shown yet whether the comment is there. Carillon will look again`;

type Retry = { message: string; answer?: NetworkAnswer; waitSeconds?: number; isStuck?: boolean };

async function retryLater(claim: Claim, post: Post, comment: CommentOutcome, retry: Retry): Promise<void> {
  const { message, answer, waitSeconds, isStuck } = retry;
  const attempts = comment.attempts ?? 0;
  const againSeconds = waitSeconds ?? retrySeconds(attempts);
  if (claim.lateSeconds + againSeconds > GIVE_UP_SECONDS / env.timeFactor) {
    const reason = `${message}. The next attempt would be more than 24 hours late, so there will be none.`;
    return settleFailed(claim, post, reason, answer);
  }
  const failed = waitSeconds === undefined;
  const attempt: Pause = { outcome: failed ? "RETRYING" : "WAITING", message, answer, againSeconds };
  await postpone(claim, post, failed ? { ...comment, attempts: attempts + 1 } : comment, attempt, isStuck);
}

/** A comment that may be there is never recorded as failed, also if its answer was stored and its workers died since. */
async function settleFailed(claim: Claim, post: Post, message: string, answer?: NetworkAnswer): Promise<void> {
  const wasSent = (await sentSteps(post, STEPS)).length > 0;
  const outcome: Ended = wasSent
    ? { status: "UNKNOWN", error: unknownMessage(claim) }
    : { status: "FAILED", error: message };
  await settle(claim, post, outcome, answer);
}

type Pause = AttemptEntry & { againSeconds: number };

/** Releases the claim. The comment is due again after the attempt's `againSeconds`. This counts as progress, unless it is stuck. */
async function postpone(
  claim: Claim,
  post: Post,
  comment: CommentOutcome,
  attempt: Pause,
  isStuck = false,
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .update(publications)
      .set({
        claimWorker: null,
        claimUntil: null,
        comment,
        commentDueAt: secondsFromNow(attempt.againSeconds),
        ...(isStuck ? {} : { claims: 0 }),
      })
      .where(isClaimHeld(claim))
      .returning({ id: publications.id });
    // Without a row, another worker holds the claim and records its own attempts.
    if (rows.length > 0) await recordAttempts(tx, [{ claim, post, attempt }]);
  });
}

type Ended = CommentOutcome & { status: "PUBLISHED" | "FAILED" | "UNKNOWN" };

/** @throws ClaimLost */
async function settle(claim: Claim, post: Post, outcome: Ended, answer?: NetworkAnswer): Promise<void> {
  claim.worker.assertAlive();
  const ended = { claimWorker: null, claimUntil: null, claims: 0, comment: outcome, commentDueAt: null };
  await changeClaimed(claim, ended, async (tx) => {
    const { status, error = "it is out" } = outcome;
    await recordAttempts(tx, [{ claim, post, attempt: { outcome: status, message: error, answer } }]);
    await emitComment(tx, claim.scheduleId, claim.publicationId);
  });
  const ids = { publication: claim.publicationId, schedule: claim.scheduleId };
  log.info({ ...ids, outcome: outcome.status }, "a first comment was settled");
}

const endAll = statement<{ message: string }, { id: number }>(
  "publications.end-comments",
  sql`update publications set comment_due_at = null, comment = jsonb_build_object('status', 'UNKNOWN', 'error', ${value("message", "text")})
    where comment_due_at is not null returning id`,
);

/** After a restore from a backup, comments that this database considers unsent may be there. They end as UNKNOWN. */
export async function endRestoredComments(): Promise<void> {
  await endAll(db, {
    message:
      "This comment may have been published before the service was restored from a backup. Look at the post before you write it again.",
  });
}
