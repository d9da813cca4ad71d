import { env } from "../../env";
import { isPossiblyAlive } from "../../jobs";
import { PlatformError, type Recovery } from "../../networks";
import type { Claim, Step } from "./claim";
import { OutcomeUnknown, Postponed, requestedWaitSeconds } from "./outcomes";
import { type LookupState, storeLookupState } from "./steps";

/** How long an outcome is looked up before it counts as unknown (DECISIONS, "Schedules"). */
const MAX_LOOKUP_SECONDS = 900;
/**
 * If the network answered with an error of its own, and two lookups (the second at least this late) do not show the post, the
 * call had no effect.
 */
const SETTLED_SECONDS = 120;
const FIRST_LOOKUP_SECONDS = 5;

/** Returns the wait before the next poll or lookup in seconds: it grows with the time passed and is divided by `TIME_FACTOR`. */
export const backoffSeconds = (passedSeconds: number, least: number, most: number) =>
  Math.min(most, Math.max(least, passedSeconds * env.timeFactor * 0.25)) / env.timeFactor;

/**
 * Finds the outcome of a call that was announced and has no stored outcome, by reading the network. Returns the result if the
 * call took effect. Returns `repeat` if the call certainly had no effect, or if its handle makes a repeat harmless and its
 * sender is known to be dead.
 * @throws Postponed to look again; OutcomeUnknown if the outcome cannot be found; PlatformError if the account needs a new token
 */
export async function reconcile<T>(
  claim: Claim,
  intent: Step,
  networkName: string,
  recovery: Recovery<T> | undefined,
): Promise<{ found: T } | "repeat"> {
  if (!recovery) throw new OutcomeUnknown(networkName, false);
  const isOver = claim.isOutcomeUnknown || intent.seconds > MAX_LOOKUP_SECONDS / env.timeFactor;
  const again = (atLeast = 0) => {
    if (isOver) return new OutcomeUnknown(networkName, true);
    const seconds = Math.max(atLeast, backoffSeconds(intent.seconds, FIRST_LOOKUP_SECONDS, 120));
    return new Postponed(seconds, "LOOKING", `${networkName} does not show the post yet. Carillon will look again`);
  };

  const found = await recovery.find(new Date(intent.startedAt)).catch((error: unknown) => {
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    throw again(requestedWaitSeconds(error));
  });
  if (found !== undefined) return { found };

  const known: Partial<LookupState> = lookupStateOf(intent);
  const doubt: LookupState = { ...known, answered: known.answered ?? false, looks: (known.looks ?? 0) + 1 };
  await storeLookupState(intent.postId, intent.name, doubt);
  if (claim.isOutcomeUnknown || doubt.duplicate) throw again();
  if (doubt.answered && doubt.looks >= 2 && intent.seconds > SETTLED_SECONDS / env.timeFactor) return "repeat";
  const isMine = intent.workerId === claim.worker.id;
  if (recovery.repeatable && (isMine || !(await isPossiblyAlive(intent.workerId)))) return "repeat";
  throw again();
}

/** The only cast of a stored lookup state; `storeLookupState` wrote it with this type. */
function lookupStateOf(intent: Step): Partial<LookupState> {
  return (intent.result as Partial<LookupState> | null) ?? {};
}
