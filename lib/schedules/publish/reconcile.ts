import { env } from "../../env";
import { isPossiblyAlive } from "../../jobs";
import { PlatformError, type Recovery } from "../../networks";
import type { Claim, Step } from "./claim";
import { askedWait, ComeBack, Unresolved } from "./outcomes";
import { type Doubt, storeDoubt } from "./steps";

/** How long an outcome is looked for before it counts as unknown (DECISIONS, "Schedules"). */
const LIMIT_SECONDS = 900;
/** A fault that was answered and that two looks, the second this late, do not show as a post: it had no effect. */
const SETTLED_SECONDS = 120;
const FIRST_LOOK_SECONDS = 5;

/** Waiting times of polls and look-ups: grow with the time that has passed, `TIME_FACTOR` divides them. */
export const wait = (passedSeconds: number, least: number, most: number) =>
  Math.min(most, Math.max(least, passedSeconds * env.timeFactor * 0.25)) / env.timeFactor;

/**
 * What became of a call that was announced and of which no outcome is stored: the network is read. `repeat` where it is
 * certain that it had no effect, or where its handle makes a repeat harmless and its sender is provably dead.
 * @throws ComeBack to look again; Unresolved where nobody can tell; PlatformError where the account needs a new token
 */
export async function reconcile<T>(
  claim: Claim,
  intent: Step,
  networkName: string,
  recovery: Recovery<T> | undefined,
): Promise<{ found: T } | "repeat"> {
  if (!recovery) throw new Unresolved(networkName, false);
  const isOver = claim.isToldUnknown || intent.seconds > LIMIT_SECONDS / env.timeFactor;
  const again = (atLeast = 0) => {
    if (isOver) return new Unresolved(networkName, true);
    const seconds = Math.max(atLeast, wait(intent.seconds, FIRST_LOOK_SECONDS, 120));
    return new ComeBack(seconds, "LOOKING", `${networkName} does not show the post yet. Carillon looks again`);
  };

  const found = await recovery.find(new Date(intent.startedAt)).catch((error: unknown) => {
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    throw again(askedWait(error));
  });
  if (found !== undefined) return { found };

  const known: Partial<Doubt> = doubtOf(intent);
  const doubt: Doubt = { ...known, answered: known.answered ?? false, looks: (known.looks ?? 0) + 1 };
  await storeDoubt(intent.postId, intent.name, doubt);
  if (claim.isToldUnknown || doubt.duplicate) throw again();
  if (doubt.answered && doubt.looks >= 2 && intent.seconds > SETTLED_SECONDS / env.timeFactor) return "repeat";
  const isMine = intent.workerId === claim.worker.id;
  if (recovery.repeatable && (isMine || !(await isPossiblyAlive(intent.workerId)))) return "repeat";
  throw again();
}

/** The one place that trusts a stored doubt to have the shape that `storeDoubt` gave it. */
function doubtOf(intent: Step): Partial<Doubt> {
  return (intent.result as Partial<Doubt> | null) ?? {};
}
