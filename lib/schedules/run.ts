import { and, eq, sql } from "drizzle-orm";
import { db, publishSteps } from "../db";
import { env } from "../env";
import { isPossiblyAlive } from "../jobs";
import { PlatformError, type Recovery, type Run, type Session } from "../networks";
import { type Claim, holdClaim, holdClaimToSend } from "./claim";
import type { Post } from "./read";

/** The longest call of any adapter, and some more: an intent's claim outlives the call that it announces. */
const CALL_SECONDS = 330;
/** How long a poll may go on before the network is taken to have failed. */
const POLL_LIMIT_SECONDS = 3600;
/** How long an outcome is looked for before it counts as unknown for good (DECISIONS, "Schedules"). */
const RECONCILE_LIMIT_SECONDS = 900;
const FIRST_LOOK_SECONDS = 5;
/** A fault that was answered and that two looks, the second this late, do not show as a post: it had no effect. */
const SETTLED_SECONDS = 120;

/** Not now, and nothing is wrong: come back after so many seconds. Uses up no attempt. */
export class ComeBack extends Error {
  constructor(readonly seconds: number) {
    super(`come back in ${seconds} s`);
    this.name = "ComeBack";
  }
}

/** The final call was sent, and the network cannot tell what became of it. Never sent again by itself. */
export class Unresolved extends Error {
  constructor(network: string) {
    super(
      `${network} did not answer the final call, and cannot tell whether it took effect: the post may be live. ` +
        "Look there before you send it again; Carillon will not by itself.",
    );
    this.name = "Unresolved";
  }
}

type Step = typeof publishSteps.$inferSelect;

/** What is known of an intent without an outcome: the network answered with a fault of its own, and how often it was read. */
type Doubt = { answered: boolean; looks: number };

/** Waiting times of polls and look-ups: grow with the time that has passed, `TIME_FACTOR` divides them. */
const wait = (passedSeconds: number, least: number, most: number) =>
  Math.min(most, Math.max(least, passedSeconds / 4)) / env.timeFactor;

/** The memory of one post's publishing, over however many claims it takes. */
export async function openRun(claim: Claim, post: Post, session: Session, networkName: string): Promise<Run> {
  const rows = await db
    .select({
      step: publishSteps,
      seconds: sql<number>`extract(epoch from clock_timestamp() - coalesce(${publishSteps.sentAt}, ${publishSteps.startedAt}))::float8`,
    })
    .from(publishSteps)
    .where(eq(publishSteps.postId, post.id));
  const memory = new Map(rows.map(({ step, seconds }) => [step.name, { ...step, seconds }]));

  async function remember(name: string, state: Step["state"], result?: unknown): Promise<void> {
    const finished = state === "DONE" ? sql`clock_timestamp()` : null;
    const row = {
      postId: post.id,
      name,
      state,
      result: result ?? null,
      irreversible: state === "SENDING",
      workerId: claim.worker.id,
      finishedAt: finished,
      ...(state === "SENDING" ? { sentAt: sql`clock_timestamp()` } : {}),
    };
    await db.transaction(async (tx) => {
      if (state === "SENDING") await holdClaimToSend(claim, CALL_SECONDS, tx);
      else await holdClaim(claim, undefined, tx);
      await tx
        .insert(publishSteps)
        .values({ ...row, startedAt: sql`clock_timestamp()` })
        .onConflictDoUpdate({
          target: [publishSteps.postId, publishSteps.name],
          // A repeated intent keeps its first time: what the lost call made may be as old as that. Once announced as
          // irreversible it stays so.
          set: { ...row, postId: undefined, name: undefined, irreversible: undefined },
        });
    });
  }

  async function done<T>(name: string, value: T): Promise<T> {
    await remember(name, "DONE", value);
    return value;
  }

  async function doubtOf(name: string, doubt: Doubt): Promise<void> {
    const step = and(eq(publishSteps.postId, post.id), eq(publishSteps.name, name));
    await db.update(publishSteps).set({ result: doubt }).where(step);
  }

  async function reconcile<T>(
    step: Step & { seconds: number },
    recovery: Recovery<T> | undefined,
  ): Promise<{ found: T } | "repeat"> {
    if (!recovery) throw new Unresolved(networkName);
    const limit = RECONCILE_LIMIT_SECONDS / env.timeFactor;
    let found: T | undefined;
    try {
      found = await recovery.find(new Date(step.startedAt));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (step.seconds > limit) throw new Unresolved(networkName);
      throw new ComeBack(Math.max(error.retryAfterSeconds ?? 0, wait(step.seconds, FIRST_LOOK_SECONDS, 120)));
    }
    if (found !== undefined) return { found: await done(step.name, found) };
    const doubt = { answered: false, ...(step.result as Partial<Doubt> | null) };
    const looks = (doubt.looks ?? 0) + 1;
    await doubtOf(step.name, { ...doubt, looks });
    if (doubt.answered && looks >= 2 && step.seconds > SETTLED_SECONDS / env.timeFactor) return "repeat";
    // Harmless to repeat, but only once whoever sent it can no longer be sending.
    const sentByUs = step.workerId === claim.worker.id;
    if (recovery.repeatable && (sentByUs || !(await isPossiblyAlive(step.workerId)))) return "repeat";
    if (step.seconds > limit) throw new Unresolved(networkName);
    throw new ComeBack(wait(step.seconds, FIRST_LOOK_SECONDS, 120));
  }

  return {
    ...session,
    async step(name, work) {
      const known = memory.get(name);
      if (known?.state === "DONE") return known.result as Awaited<ReturnType<typeof work>>;
      return done(name, await work());
    },
    async commit<T>(name: string, work: () => Promise<T>, recovery?: Recovery<T>): Promise<T> {
      const known = memory.get(name);
      if (known?.state === "DONE") return known.result as T;
      if (known?.state === "SENDING") {
        const outcome = await reconcile(known, recovery);
        if (outcome !== "repeat") return outcome.found;
      }
      await remember(name, "SENDING");
      try {
        return await done(name, await work());
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.refused) {
          // Certainly without effect: there is no outcome to look for.
          await db.delete(publishSteps).where(and(eq(publishSteps.postId, post.id), eq(publishSteps.name, name)));
          throw error;
        }
        if (!recovery) throw new Unresolved(networkName);
        await doubtOf(name, { answered: (error.answer?.status ?? 0) >= 500, looks: 0 });
        throw new ComeBack(FIRST_LOOK_SECONDS / env.timeFactor);
      }
    },
    async poll(name, check) {
      const known = memory.get(name);
      if (known?.state === "DONE") return known.result as never;
      const seconds = known?.seconds ?? 0;
      const value = await check();
      if (value !== undefined) return done(name, value);
      if (seconds > POLL_LIMIT_SECONDS) {
        throw new PlatformError("rejected", `${networkName} did not finish processing within an hour`);
      }
      if (!known) await remember(name, "POLLING");
      throw new ComeBack(wait(seconds, 2, 60));
    },
  };
}
