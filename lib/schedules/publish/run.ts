import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../db";
import { env } from "../../env";
import { failPoint } from "../../jobs/fail-point";
import { type NetworkSession, PlatformError, type Recovery, type Run } from "../../networks";
import type { Post } from "../read";
import type { Claim, Step } from "./claim";
import { type IntentFacts, intentFacts } from "./lookup";
import { assertInTime, OutcomeUnknown, Postponed, requestedWaitSeconds, StartOver, UNDECIDED } from "./outcomes";
import { backoffSeconds, reconcile } from "./reconcile";
import { PublishedBefore, wasRestored } from "./restored";
import {
  AFTER_COMMIT,
  deleteIntent,
  resultOf,
  storeFound,
  storeIntent,
  storeOutcome,
  storeStep,
  storeUnclearEnd,
} from "./steps";

/** How long a poll may take before the network counts as failed. */
const POLL_LIMIT_SECONDS = 3600;
const FIRST_LOOKUP_SECONDS = 5;
/** A process that was suspended for this long between announcing a call and making it does not make the call. */
const STALE_MS = 10_000;
/**
 * For how long the answer to a final call is kept while the database is away, as during a failover. Only this process knows it,
 * and without it the post has to be looked up. Shorter than the time that a process has to stop.
 */
const ANSWER_KEPT_MS = 20_000;
const STORE_AGAIN_MS = 500;

/**
 * Returns the `Run` with which an adapter publishes one post. Completed steps are stored and skipped in later attempts, so a post
 * can be published over several claims. `commit` makes the call that cannot be undone: it is announced in the database first,
 * and if its outcome is lost it is looked up (`reconcile`) and not simply sent again.
 * @param stepPrefix begins the names of all stored steps
 */
export function openRun(claim: Claim, post: Post, session: NetworkSession, networkName: string, stepPrefix = ""): Run {
  const steps = new Map<string, Step>(
    claim.steps.filter(({ postId }) => postId === post.id).map((step) => [step.name, step]),
  );

  async function complete<T>(name: string, value: T): Promise<T> {
    await storeStep(claim, post.id, name, "DONE", value);
    return value;
  }

  /** Only this process knows that the call had no effect. Otherwise the post would be looked up, and end as unknown. */
  const forgetIntent = (name: string) => untilStored(() => deleteIntent(claim, post.id, name));

  /** Announces the call, makes it once, and stores its result. */
  async function send<T>(name: string, work: () => Promise<T>, facts: IntentFacts): Promise<T> {
    const asked = performance.now();
    await failPoint("prepared");
    await storeIntent(claim, post.id, name, facts);
    await failPoint("announced");
    if (performance.now() - asked > STALE_MS) {
      await forgetIntent(name);
      throw new Postponed(1, "WAITING", "The worker was suspended before it could send the post");
    }
    const made = await work();
    await failPoint("answered");
    await untilStored(() => storeOutcome(claim, post.id, name, made));
    await failPoint("stored");
    return made;
  }

  /** Returns the error to throw after a call without a result: either it had no effect, or its outcome is unknown. */
  async function errorFor<T>(name: string, error: PlatformError, wasInDoubt: boolean, recovery?: Recovery<T>) {
    const isDuplicate = error.duplicate && wasInDoubt; // this proves that the previous call took effect
    if (error.duplicate && wasRestored(claim, post)) {
      await forgetIntent(name);
      return new PublishedBefore(networkName);
    }
    if (error.refused && !isDuplicate) {
      await forgetIntent(name);
      return error;
    }
    if (!recovery) return new OutcomeUnknown(networkName, false);
    const answered = !isDuplicate && (error.answer?.status ?? 0) >= 500;
    await storeUnclearEnd(claim, post.id, name, { answered, duplicate: isDuplicate, looks: 0 });
    const message = answered
      ? `${networkName} answered the final call with an internal error. Carillon is checking whether the post is there`
      : `${networkName} did not answer the final call clearly. Carillon is checking whether the post is there`;
    // A wait that the network asked for applies to the lookup as well.
    const seconds = Math.max(FIRST_LOOKUP_SECONDS / env.timeFactor, requestedWaitSeconds(error) ?? 0);
    return new Postponed(seconds, "LOOKING", message);
  }

  return {
    ...session,
    async step(step, work) {
      const name = stepPrefix + step;
      const known = steps.get(name);
      if (known?.state === "DONE") return resultOf(known);
      return complete(name, await work());
    },
    isDone: (step) => steps.get(stepPrefix + step)?.state === "DONE",
    async commit<T>(step: string, work: (isRepeated: boolean) => Promise<T>, recovery?: Recovery<T>): Promise<T> {
      const name = stepPrefix + step;
      const known = steps.get(name);
      if (known?.state === "DONE") return resultOf(known);
      const inDoubt = known?.state === "SENDING" ? known : undefined;
      if (inDoubt) {
        const outcome = await reconcile(claim, post, inDoubt, networkName, recovery, session);
        if (outcome !== "repeat") {
          await failPoint("found");
          await storeFound(claim, post.id, name, outcome.found);
          return outcome.found;
        }
      } else assertInTime(claim);
      // A repeated call keeps what was listed before the first one.
      const facts = inDoubt ? {} : await intentFacts(claim, post, recovery);
      try {
        return await send(name, () => work(inDoubt !== undefined), facts);
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        throw await errorFor(name, error, inDoubt !== undefined, recovery);
      }
    },
    async poll(step, check, after) {
      const name = stepPrefix + step;
      const known = steps.get(name);
      if (known?.state === "DONE") return resultOf(known);
      const seconds = known?.seconds ?? 0;
      const value = await check();
      if (value !== undefined) return complete(name, value);
      if (seconds > POLL_LIMIT_SECONDS / env.timeFactor) {
        if (after && claim.sendAgain) throw new StartOver();
        if (after) throw new OutcomeUnknown(networkName, true, UNDECIDED);
        throw new PlatformError("rejected", `${networkName} did not finish processing within an hour`);
      }
      if (!known) await storeStep(claim, post.id, name, "POLLING", after && AFTER_COMMIT);
      throw new Postponed(backoffSeconds(seconds, 2, 60), "WAITING", `${networkName} is still preparing the post`);
    },
  };
}

/** Tries again while the database is away. @throws the last error */
async function untilStored(store: () => Promise<void>): Promise<void> {
  const lastMs = performance.now() + ANSWER_KEPT_MS;
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > lastMs) throw error;
      await sleep(STORE_AGAIN_MS);
    }
  }
}
