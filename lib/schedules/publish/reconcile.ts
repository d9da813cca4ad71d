import { env } from "../../env";
import { isPossiblyAlive } from "../../jobs";
import {
  Indistinguishable,
  type NetworkSession,
  PlatformError,
  ReadBackImpossible,
  type Recovery,
} from "../../networks";
import type { Post } from "../read";
import type { Claim, Step } from "./claim";
import { openLookup } from "./lookup";
import { OutcomeUnknown, Postponed, requestedWaitSeconds } from "./outcomes";
import { type LookupState, storeLookupState } from "./steps";

/** How long an outcome is looked up before it counts as unknown (DECISIONS, "Schedules"). */
const MAX_LOOKUP_SECONDS = 900;
/**
 * If the network answered with an error of its own, and two lookups (the second at least this late) do not show the post, the
 * call had no effect.
 */
export const SETTLED_SECONDS = 120;
const FIRST_LOOKUP_SECONDS = 5;

/** Returns the wait before the next poll or lookup in seconds: it grows with the time passed and is divided by `TIME_FACTOR`. */
export const backoffSeconds = (passedSeconds: number, least: number, most: number) =>
  Math.min(most, Math.max(least, passedSeconds * env.timeFactor * 0.25)) / env.timeFactor;

/**
 * Finds the outcome of a call that was announced and has no stored outcome, by reading the network. Returns the result if the
 * call took effect. Returns `repeat` if the call certainly had no effect, if its handle makes a repeat harmless and its sender
 * is known to be dead, or if the network does not show the post or cannot be read, and the user allowed sending it again.
 * @throws Postponed to look again; OutcomeUnknown if the outcome cannot be found; PlatformError if the account needs a new token
 */
export async function reconcile<T>(
  claim: Claim,
  post: Post,
  intent: Step,
  networkName: string,
  recovery: Recovery<T> | undefined,
  session: Pick<NetworkSession, "statedTime">,
): Promise<{ found: T } | "repeat"> {
  if (!recovery) return repeatIfAllowed(claim, new OutcomeUnknown(networkName, false));
  const passed = claim.sendAgain ? claim.lateSeconds : intent.seconds;
  const isOver = claim.isOutcomeUnknown || passed > MAX_LOOKUP_SECONDS / env.timeFactor;
  const again = (atLeast = 0) => {
    if (isOver) return new OutcomeUnknown(networkName, true);
    const seconds = Math.max(atLeast, backoffSeconds(passed, FIRST_LOOKUP_SECONDS, 120));
    return new Postponed(seconds, "LOOKING", `${networkName} does not show the post yet. Carillon will look again`);
  };

  let found: T | undefined;
  try {
    found = await recovery.find(openLookup(claim, post, intent, recovery, session));
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === "reconnect") throw error;
    if (error instanceof ReadBackImpossible) return repeatIfAllowed(claim, new OutcomeUnknown(networkName, false));
    if (error instanceof Indistinguishable) return repeatIfAllowed(claim, again());
    // The network does not let us read the post, or it could not be read for a quarter of an hour. The user has looked.
    if (claim.sendAgain && (error.kind === "rejected" || isOver)) return "repeat";
    throw again(requestedWaitSeconds(error));
  }
  if (found !== undefined) return { found };
  if (claim.sendAgain) return "repeat";

  const known: Partial<LookupState> = lookupStateOf(intent);
  const doubt: LookupState = { ...known, answered: known.answered ?? false, looks: (known.looks ?? 0) + 1 };
  await storeLookupState(intent, doubt);
  if (claim.isOutcomeUnknown || doubt.duplicate) throw again();
  if (doubt.answered && doubt.looks >= 2 && intent.seconds > SETTLED_SECONDS / env.timeFactor) return "repeat";
  const isMine = intent.workerId === claim.worker.id;
  if (recovery.repeatable && (isMine || !(await isPossiblyAlive(intent.workerId)))) return "repeat";
  throw again();
}

/** @throws the error, unless the user looked at the network and allowed sending the post again */
function repeatIfAllowed({ sendAgain }: Claim, error: Error): "repeat" {
  if (sendAgain) return "repeat";
  throw error;
}

/** The only cast of a stored lookup state; `storeLookupState` wrote it with this type. */
function lookupStateOf(intent: Step): Partial<LookupState> {
  return (intent.result as Partial<LookupState> | null) ?? {};
}
