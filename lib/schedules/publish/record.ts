import { sql } from "drizzle-orm";
import { pauseAccount, replaceOrRequireReconnect, reportOperatorProblem } from "../../accounts";
import { db, isDatabaseUnavailable, publications } from "../../db";
import { env } from "../../env";
import { RETRY_AFTER_RECONNECT, splitReconnectMessage } from "../../errors";
import { WorkerLost } from "../../jobs";
import { log } from "../../log";
import { type NetworkAnswer, PlatformError } from "../../networks";
import { StoreUnavailable } from "../../storage";
import type { Post } from "../read";
import { type AttemptEntry, recordAttempts } from "./attempts";
import { type Claim, ClaimLost, isClaimHeld, secondsFromNow } from "./claim";
import { OutcomeUnknown, Postponed, requestedWaitSeconds, StartOver, TooLate } from "./outcomes";
import { backoffSeconds } from "./reconcile";
import { settleFailed } from "./settle";
import { deleteSteps, markStepsReversible, unresolvedSteps } from "./steps";

export const GIVE_UP_SECONDS = 86_400;
const FIRST_RETRY_SECONDS = 15;
const MAX_RETRY_SECONDS = 3600;
/** Wait after a rate limit without a stated time, in seconds. It grows with the time the network has been limiting us. */
const UNSTATED_WAIT_SECONDS = { least: 60, most: 900 };
/** Wait while our database or our store is unavailable. */
export const AWAY_SECONDS = 5;

/** Records a failed attempt: the publication waits, is tried again, or ends with a reason. */
export async function recordFailure(claim: Claim, post: Post, error: unknown): Promise<void> {
  if (error instanceof ClaimLost || error instanceof WorkerLost) throw error;
  if (claim.isOutcomeUnknown) return lookUpLater(claim, post, error);
  if (error instanceof StartOver) return startOver(claim, post);
  if (error instanceof Postponed) {
    const { outcome, message, seconds } = error;
    return postpone(claim, post, { outcome, message, againSeconds: seconds });
  }
  if (error instanceof OutcomeUnknown) {
    const lookAgainSeconds = error.isReadable ? nextLookupSeconds(claim, post) : undefined;
    return settleFailed(claim, post, { status: "UNKNOWN", message: error.message, lookAgainSeconds });
  }
  if (error instanceof PlatformError) return recordPlatformError(claim, post, error);
  return recordInternalError(claim, post, error);
}

/** Forgets what was sent before, so that the next attempt publishes the post from the beginning. */
async function startOver(claim: Claim, post: Post): Promise<void> {
  await deleteSteps(claim, post.id);
  await postpone(claim, post, { outcome: "RETRYING", message: "The post is sent again", againSeconds: 0 });
}

/** The publication ended as UNKNOWN. The network is read from time to time for a day, even if a lookup fails. */
async function lookUpLater(claim: Claim, post: Post, error: unknown): Promise<void> {
  if (error instanceof PlatformError && error.undone) return recordUndone(claim, post, error);
  const message = error instanceof PlatformError ? error.message : "The network does not show the post";
  const isFinal = error instanceof OutcomeUnknown && !error.isReadable;
  await postpone(claim, post, {
    outcome: "UNKNOWN",
    message,
    againSeconds: isFinal ? undefined : nextLookupSeconds(claim, post),
  });
}

/** The network reports that the post is not out. The user was asked to check it, so only the user's retry sends it again. */
async function recordUndone(claim: Claim, post: Post, { message, answer }: PlatformError): Promise<void> {
  await markStepsReversible(claim, post);
  await settleFailed(claim, post, { status: "FAILED", message, answer });
}

function nextLookupSeconds(claim: Claim, post: Post): number | undefined {
  const age = Math.max(0, ...unresolvedSteps(claim, post).map(({ seconds }) => seconds));
  return age * env.timeFactor > GIVE_UP_SECONDS ? undefined : backoffSeconds(age, 60, 3600);
}

async function recordInternalError(claim: Claim, post: Post, error: unknown): Promise<void> {
  const isAway = isDatabaseUnavailable(error);
  const stack = error instanceof Error ? error.stack : String(error);
  log.error({ publication: claim.publicationId, error: stack }, "publishing failed with an internal error");
  if (isAway) {
    const message = "Carillon's database was temporarily unavailable";
    return postpone(claim, post, { outcome: "WAITING", message, againSeconds: AWAY_SECONDS });
  }
  if (error instanceof StoreUnavailable) {
    const message = "Carillon's file store was temporarily unavailable";
    return retryLater(claim, post, { message, waitSeconds: AWAY_SECONDS });
  }
  await retryLater(claim, post, { message: "Something went wrong on Carillon's side", isStuck: true });
}

async function recordPlatformError(claim: Claim, post: Post, error: PlatformError): Promise<void> {
  const { kind, answer, message, throttled } = error;
  log.info({ publication: claim.publicationId, kind, answer }, message);
  if (error.undone) await markStepsReversible(claim, post);
  switch (kind) {
    case "rejected":
      return settleFailed(claim, post, { status: "FAILED", message, answer }, isCertain(error));
    case "reconnect":
      return recordInvalidToken(claim, post, error);
    case "operator":
      return waitForOperator(claim, post, error);
    case "later":
    case "unknown": // only thrown by calls that can be repeated
      return throttled
        ? waitForRateLimit(claim, post, error)
        : retryLater(claim, post, { message, answer, waitSeconds: requestedWaitSeconds(error) });
  }
}

/** True if the network rejected this post itself, or if we decided not to send the rest of it. */
const isCertain = (error: PlatformError) => error.answer !== undefined || error.undone || error instanceof TooLate;

/** Tries again if a new token may be available. Otherwise the user has to reconnect the account. */
async function recordInvalidToken(claim: Claim, post: Post, { message, answer }: PlatformError): Promise<void> {
  if (await replaceOrRequireReconnect(claim.account, message, claim.accessToken)) {
    return postpone(claim, post, { outcome: "RETRYING", message, answer, againSeconds: 0 });
  }
  const { reason, action } = splitReconnectMessage(message);
  const says = `${reason}. ${action}${RETRY_AFTER_RECONNECT}`;
  await settleFailed(claim, post, { status: "FAILED", message: says, answer, isMissed: true });
}

/**
 * Only the operator can remove the cause, which may take hours: the post is tried again with growing pauses, unless the network
 * states a time. The account stays connected.
 */
async function waitForOperator(claim: Claim, post: Post, error: PlatformError): Promise<void> {
  const { answer, isWaitStated } = error;
  await reportOperatorProblem(claim.account.platform, error);
  const waitSeconds = isWaitStated ? requestedWaitSeconds(error) : undefined;
  if (waitSeconds !== undefined && error.throttled) await pauseAccount(claim.account.id, waitSeconds);
  await retryLater(claim, post, { message: operatorMessage(error), answer, waitSeconds });
}

export const operatorMessage = ({ message, fix }: PlatformError) =>
  fix ? `${message}. What the operator of this service must do: ${fix}` : message;

async function waitForRateLimit(claim: Claim, post: Post, error: PlatformError): Promise<void> {
  const { message, answer } = error;
  await retryLater(claim, post, { message, answer, waitSeconds: await pauseForRateLimit(claim, error) });
}

/** Makes the whole account wait as long as the network asks. Returns the wait in seconds. */
export async function pauseForRateLimit(claim: Claim, error: PlatformError): Promise<number> {
  const { least, most } = UNSTATED_WAIT_SECONDS;
  const waitSeconds = requestedWaitSeconds(error) ?? withJitter(backoffSeconds(claim.lateSeconds, least, most));
  await pauseAccount(claim.account.id, waitSeconds);
  return waitSeconds;
}

const withJitter = (seconds: number) => (0.8 + Math.random() * 0.4) * seconds;

/** Returns the wait after this many failed attempts, in seconds. */
export const retrySeconds = (attempts: number) =>
  withJitter(Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** attempts)) / env.timeFactor;

/** With `waitSeconds`, the wait does not count as a failed attempt. */
type Retry = { message: string; answer?: NetworkAnswer; waitSeconds?: number; isStuck?: boolean };

async function retryLater(claim: Claim, post: Post, { message, answer, waitSeconds, isStuck }: Retry): Promise<void> {
  const againSeconds = waitSeconds ?? retrySeconds(claim.attempts);
  if (claim.lateSeconds + againSeconds > GIVE_UP_SECONDS / env.timeFactor) {
    const reason = `${message}. The next attempt would be more than 24 hours late, so there will be none.`;
    return settleFailed(claim, post, { status: "FAILED", message: reason, answer });
  }
  const failed = waitSeconds === undefined;
  await postpone(
    claim,
    post,
    { outcome: failed ? "RETRYING" : "WAITING", message, answer, againSeconds },
    { failed, isStuck },
  );
}

/**
 * Ends an attempt and releases the claim. The publication is due again after `againSeconds`; without it, only when the user
 * retries. `failed` counts a failed attempt; waiting as the network asked does not count. Reaching this point counts as
 * progress, except after an internal error (`isStuck`).
 */
async function postpone(
  claim: Claim,
  post: Post,
  attempt: AttemptEntry,
  { failed = false, isStuck = false }: { failed?: boolean; isStuck?: boolean } = {},
): Promise<void> {
  const { againSeconds } = attempt;
  await db.transaction(async (tx) => {
    const rows = await tx
      .update(publications)
      .set({
        claimWorker: null,
        claimUntil: null,
        dueAt: againSeconds === undefined ? null : secondsFromNow(againSeconds),
        ...(failed ? { attempts: sql`${publications.attempts} + 1` } : {}),
        ...(isStuck ? {} : { claims: 0 }),
      })
      .where(isClaimHeld(claim))
      .returning({ id: publications.id });
    // Without a row, another worker holds the claim and records its own attempts.
    if (rows.length > 0) await recordAttempts(tx, [{ claim, post, attempt }]);
  });
}
