import { sql } from "drizzle-orm";
import { distrustToken, letWait, requireReconnect } from "../../accounts";
import { db, isDatabaseAway, publications } from "../../db";
import { env } from "../../env";
import { WorkerLost } from "../../jobs";
import { log } from "../../log";
import { type NetworkAnswer, PlatformError } from "../../networks";
import type { Post } from "../read";
import { type Chapter, tell } from "./attempts";
import { type Claim, ClaimLost, inSeconds, isHeld } from "./claim";
import { askedWait, ComeBack, TooLate, Unresolved } from "./outcomes";
import { wait } from "./reconcile";
import { settleFailed } from "./settle";
import { forgetSent, openSteps } from "./steps";

const GIVE_UP_SECONDS = 86_400;
const FIRST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 3600;
/** How long a network that says no more than "slow down" is left alone: the longer, the longer it has been saying so. */
const UNTOLD_SECONDS = { least: 60, most: 900 };
const DATABASE_AWAY_SECONDS = 5;

/** What a failed attempt means: wait, try again, or the end with a reason. */
export async function record(claim: Claim, post: Post, error: unknown): Promise<void> {
  if (error instanceof ClaimLost || error instanceof WorkerLost) throw error;
  if (claim.isToldUnknown) return lookLater(claim, post, error);
  if (error instanceof ComeBack) {
    const { outcome, message: says, seconds } = error;
    return giveBack(claim, post, { outcome, says, againSeconds: seconds });
  }
  if (error instanceof Unresolved) {
    const lookAgainSeconds = error.isReadable ? nextLook(claim, post) : undefined;
    return settleFailed(claim, post, { status: "UNKNOWN", says: error.message, lookAgainSeconds });
  }
  if (error instanceof PlatformError) return recordRefusal(claim, post, error);
  return recordOurFault(claim, post, error);
}

/** It was said already that nobody can tell. The network is read now and then for a day, whatever goes wrong meanwhile. */
async function lookLater(claim: Claim, post: Post, error: unknown): Promise<void> {
  if (error instanceof PlatformError && error.undone) return recordUndone(claim, post, error);
  const says = error instanceof PlatformError ? error.message : "The network does not show the post";
  const isFinal = error instanceof Unresolved && !error.isReadable;
  await giveBack(claim, post, { outcome: "UNKNOWN", says, againSeconds: isFinal ? undefined : nextLook(claim, post) });
}

/** The network says after all that nothing is out. Its person was told to look there, so only its person sends it again. */
async function recordUndone(claim: Claim, post: Post, { message: says, answer }: PlatformError): Promise<void> {
  await forgetSent(post);
  await settleFailed(claim, post, { status: "FAILED", says, answer });
}

function nextLook(claim: Claim, post: Post): number | undefined {
  const age = Math.max(0, ...openSteps(claim, post).map(({ seconds }) => seconds));
  return age * env.timeFactor > GIVE_UP_SECONDS ? undefined : wait(age, 60, 3600);
}

async function recordOurFault(claim: Claim, post: Post, error: unknown): Promise<void> {
  const isAway = isDatabaseAway(error);
  const stack = error instanceof Error ? error.stack : String(error);
  log.error({ publication: claim.publicationId, error: stack }, "publishing failed on our side");
  if (isAway) {
    const says = "Carillon's database was away for a moment";
    return giveBack(claim, post, { outcome: "WAITING", says, againSeconds: DATABASE_AWAY_SECONDS });
  }
  await retryLater(claim, post, { says: "Something went wrong on Carillon's side", isStuck: true });
}

async function recordRefusal(claim: Claim, post: Post, error: PlatformError): Promise<void> {
  const { kind, answer, message: says, throttled } = error;
  log.info({ publication: claim.publicationId, kind, answer }, says);
  if (error.undone) await forgetSent(post);
  switch (kind) {
    case "rejected":
      return settleFailed(claim, post, { status: "FAILED", says, answer }, isCertain(error));
    case "reconnect":
      return recordDeadToken(claim, post, error);
    case "later":
    case "unknown": // of a call that can be made again
      return throttled
        ? slowDown(claim, post, error)
        : retryLater(claim, post, { says, answer, waitSeconds: askedWait(error) });
  }
}

/** The network said so of this very post, or we know that what was not sent yet never will be. */
const isCertain = (error: PlatformError) => error.answer !== undefined || error.undone || error instanceof TooLate;

/** Another try with a new token where there may be one; else the account needs its person. */
async function recordDeadToken(claim: Claim, post: Post, { message, answer }: PlatformError): Promise<void> {
  if (await distrustToken(claim.account, claim.accessToken)) {
    return giveBack(claim, post, { outcome: "RETRYING", says: message, answer, againSeconds: 0 });
  }
  await requireReconnect(claim.account.id, message);
  const says = `${message}. Connect the account again, then try this post again.`;
  await settleFailed(claim, post, { status: "FAILED", says, answer });
}

/** Nothing else is sent in this account's name before the network's time is over. */
async function slowDown(claim: Claim, post: Post, error: PlatformError): Promise<void> {
  const { message: says, answer } = error;
  const { least, most } = UNTOLD_SECONDS;
  const waitSeconds = askedWait(error) ?? jittered(wait(claim.lateSeconds, least, most));
  await letWait(claim.account.id, waitSeconds);
  await retryLater(claim, post, { says, answer, waitSeconds });
}

const jittered = (seconds: number) => (0.8 + Math.random() * 0.4) * seconds;

/** `waitSeconds`: where it is to be waited, which uses up no attempt. */
type Retry = { says: string; answer?: NetworkAnswer; waitSeconds?: number; isStuck?: boolean };

async function retryLater(claim: Claim, post: Post, { says, answer, waitSeconds, isStuck }: Retry): Promise<void> {
  const backoff = Math.min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** claim.attempts);
  const againSeconds = waitSeconds ?? jittered(backoff) / env.timeFactor;
  if (claim.lateSeconds + againSeconds > GIVE_UP_SECONDS / env.timeFactor) {
    const reason = `${says}. The next try would be more than 24 hours late, so there is none.`;
    return settleFailed(claim, post, { status: "FAILED", says: reason, answer });
  }
  const failed = waitSeconds === undefined;
  await giveBack(
    claim,
    post,
    { outcome: failed ? "RETRYING" : "WAITING", says, answer, againSeconds },
    { failed, isStuck },
  );
}

/**
 * Gives a claim back, to be due again after so many seconds, or, without any, when its person asks. `failed` counts an
 * attempt; being told to wait does not. Coming here is progress, unless the fault was ours (`isStuck`).
 */
async function giveBack(
  claim: Claim,
  post: Post,
  chapter: Chapter,
  { failed = false, isStuck = false }: { failed?: boolean; isStuck?: boolean } = {},
): Promise<void> {
  const { againSeconds } = chapter;
  await db.transaction(async (tx) => {
    const rows = await tx
      .update(publications)
      .set({
        claimWorker: null,
        claimUntil: null,
        dueAt: againSeconds === undefined ? null : inSeconds(againSeconds),
        ...(failed ? { attempts: sql`${publications.attempts} + 1` } : {}),
        ...(isStuck ? {} : { claims: 0 }),
      })
      .where(isHeld(claim))
      .returning({ id: publications.id });
    if (rows.length > 0) await tell(tx, [{ claim, post, chapter }]); // else another worker has it, and tells its own
  });
}
