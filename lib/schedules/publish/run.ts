import { env } from "../../env";
import { failPoint } from "../../jobs/fail-point";
import { PlatformError, type Recovery, type Run, type Session } from "../../networks";
import type { Post } from "../read";
import type { Claim, Step } from "./claim";
import { askedWait, assertInTime, ComeBack, UNDECIDED, Unresolved } from "./outcomes";
import { reconcile, wait } from "./reconcile";
import {
  AFTER_COMMIT,
  forgetIntent,
  resultOf,
  storeDoubt,
  storeFound,
  storeIntent,
  storeOutcome,
  storeStep,
} from "./steps";

/** How long a poll may go on before the network is taken to have failed. */
const POLL_LIMIT_SECONDS = 3600;
const FIRST_LOOK_SECONDS = 5;
/** A process that stood still for so long between announcing a call and making it does not make it. */
const STALE_MS = 10_000;

/** The memory of one post's publishing, over however many claims it takes. */
export function openRun(claim: Claim, post: Post, session: Session, networkName: string): Run {
  const memory = new Map<string, Step>(
    claim.steps.filter(({ postId }) => postId === post.id).map((step) => [step.name, step]),
  );

  async function done<T>(name: string, value: T): Promise<T> {
    await storeStep(claim, post.id, name, "DONE", value);
    return value;
  }

  /** Announces the call, makes it once, and stores what it made. */
  async function send<T>(name: string, work: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    await failPoint("prepared");
    await storeIntent(claim, post.id, name);
    await failPoint("announced");
    if (performance.now() - asked > STALE_MS) {
      await forgetIntent(claim, post.id, name);
      throw new ComeBack(1, "WAITING", "The worker stood still before it could send");
    }
    const made = await work();
    await failPoint("answered");
    await storeOutcome(claim, post.id, name, made);
    await failPoint("stored");
    return made;
  }

  /** What a call that brought no result means: without effect, or in doubt. */
  async function judge<T>(name: string, error: PlatformError, wasInDoubt: boolean, recovery?: Recovery<T>) {
    const isDuplicate = error.duplicate && wasInDoubt; // evidence that the call before this one went out
    if (error.refused && !isDuplicate) {
      await forgetIntent(claim, post.id, name);
      return error;
    }
    if (!recovery) return new Unresolved(networkName, false);
    const answered = !isDuplicate && (error.answer?.status ?? 0) >= 500;
    await storeDoubt(post.id, name, { answered, duplicate: isDuplicate, looks: 0 });
    const says = answered
      ? `${networkName} answered the final call with a fault of its own. Carillon looks whether the post is there`
      : `${networkName} did not answer the final call clearly. Carillon looks whether the post is there`;
    // A network that asks to be left alone for so long is not read before that either.
    const seconds = Math.max(FIRST_LOOK_SECONDS / env.timeFactor, askedWait(error) ?? 0);
    return new ComeBack(seconds, "LOOKING", says);
  }

  return {
    ...session,
    async step(name, work) {
      const known = memory.get(name);
      if (known?.state === "DONE") return resultOf(known);
      return done(name, await work());
    },
    isDone: (name) => memory.get(name)?.state === "DONE",
    async commit<T>(name: string, work: () => Promise<T>, recovery?: Recovery<T>): Promise<T> {
      const known = memory.get(name);
      if (known?.state === "DONE") return resultOf(known);
      const inDoubt = known?.state === "SENDING" ? known : undefined;
      if (inDoubt) {
        const outcome = await reconcile(claim, inDoubt, networkName, recovery);
        if (outcome !== "repeat") {
          await failPoint("found");
          await storeFound(claim, post.id, name, outcome.found);
          return outcome.found;
        }
      } else assertInTime(claim);
      try {
        return await send(name, work);
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        throw await judge(name, error, inDoubt !== undefined, recovery);
      }
    },
    async poll(name, check, after) {
      const known = memory.get(name);
      if (known?.state === "DONE") return resultOf(known);
      const seconds = known?.seconds ?? 0;
      const value = await check();
      if (value !== undefined) return done(name, value);
      if (seconds > POLL_LIMIT_SECONDS / env.timeFactor) {
        if (after) throw new Unresolved(networkName, true, UNDECIDED);
        throw new PlatformError("rejected", `${networkName} did not finish processing within an hour`);
      }
      if (!known) await storeStep(claim, post.id, name, "POLLING", after && AFTER_COMMIT);
      throw new ComeBack(wait(seconds, 2, 60), "WAITING", `${networkName} is still preparing the post`);
    },
  };
}
