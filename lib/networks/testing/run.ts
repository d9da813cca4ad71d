import { PlatformError } from "../errors";
import { chooseLookalike, earliestCreation } from "../lookalikes";
import type { Lookalike, Lookup, NetworkSession, Published, Recovery, Run } from "../network";

/** Thrown to end a run at a fail point; no code handles it. */
class Killed extends Error {}

/**
 * Publishes once for every point at which the process can be killed, before and after each step, and resumes with the stored
 * steps. Returns the result for each point; `publish` receives the number of the point, from 1.
 */
export async function killedEverywhere(
  session: Parameters<typeof memoryRun>[0],
  publish: (run: Run, point: number) => Promise<Published>,
  wait?: () => Promise<unknown>,
): Promise<Published[]> {
  const outcomes: Published[] = [];
  for (let point = 1; ; point++) {
    const memory = newMemory();
    const first = killedAt(memoryRun(session, memory, wait), point);
    const whole = await publish(first, point).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return undefined;
    });
    if (whole) return outcomes;
    outcomes.push(await publish(memoryRun(session, memory, wait), point));
  }
}

function killedAt(run: Run, point: number): Run {
  let passed = 0;
  const pass = () => {
    passed += 1;
    if (passed === point) throw new Killed();
  };
  const within =
    <T, A extends unknown[]>(work: (...told: A) => Promise<T>) =>
    async (...told: A) => {
      pass();
      const made = await work(...told);
      pass();
      return made;
    };
  return {
    ...run,
    step: (name, work) => run.step(name, within(work)),
    commit: (name, work, recovery) => run.commit(name, within(work), recovery),
    poll: (name, check, after) => run.poll(name, within(check), after),
  };
}

/** What a run stores between attempts: results, and intents with unknown outcome. */
type Memory = { done: Map<string, unknown>; intents: Map<string, Intent> };
type Intent = { since: Date; listedBefore?: string[] };

export function newMemory(): Memory {
  return { done: new Map(), intents: new Map() };
}

/** An in-memory run that follows the rules of `Run`; `wait` is called between polls. */
export function memoryRun(session: NetworkSession, memory = newMemory(), wait: () => Promise<unknown> = pause): Run {
  const { done, intents } = memory;
  async function remembered<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!done.has(name)) done.set(name, JSON.parse(JSON.stringify(await work())));
    return done.get(name) as T; // stored under this name by a call of the same type
  }
  async function commit<T>(
    name: string,
    work: (isRepeated: boolean) => Promise<T>,
    recovery?: Recovery<T>,
  ): Promise<T> {
    const intent = intents.get(name);
    if (intent) {
      const found = await recovery?.find(lookupOf(intent));
      if (found !== undefined) return found;
      if (!recovery?.repeatable) throw new PlatformError("unknown", "The outcome is not known");
    }
    const before = intent ? undefined : await listed(recovery);
    intents.set(name, intent ?? { since: new Date(), listedBefore: before?.map(({ id }) => id) });
    try {
      return await work(intent !== undefined);
    } catch (error) {
      if (error instanceof PlatformError && error.refused) intents.delete(name);
      throw error;
    }
  }
  async function poll<T>(check: () => Promise<T | undefined>): Promise<T> {
    // Some checks wait for a time, others for a number of polls.
    const until = Date.now() + 10_000;
    for (let round = 0; round < 50 || Date.now() < until; round++) {
      const result = await check();
      if (result !== undefined) return result;
      await wait();
    }
    throw new Error("polled for 10 seconds, and at least 50 times, without a result");
  }
  return {
    ...session,
    step: remembered,
    isDone: (name) => done.has(name),
    commit: (name, work, recovery) => remembered(name, () => commit(name, work, recovery)),
    poll: (name, check) => remembered(name, () => poll(check)),
  };
}

/** The lookalikes before a call; undefined if they cannot be read. */
async function listed<T>(recovery?: Recovery<T>): Promise<Lookalike[] | undefined> {
  return recovery?.lookalikes?.list?.(earliestCreation(new Date())).catch(() => undefined);
}

/** A lookup without other posts of ours. */
function lookupOf({ since, listedBefore }: Intent): Lookup {
  const from = earliestCreation(since);
  const facts = { since, from, listedBefore, heldIds: [], hasRival: false };
  return { since, from, identify: async (listed) => chooseLookalike(listed, facts) };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
