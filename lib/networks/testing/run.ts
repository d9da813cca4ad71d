import { PlatformError } from "../errors";
import type { Recovery, Run, Session } from "../network";

/** What a run stores between attempts: results, and intents with unknown outcome. */
export type Memory = { done: Map<string, unknown>; intents: Map<string, Date> };

export function newMemory(): Memory {
  return { done: new Map(), intents: new Map() };
}

/** An in-memory run that follows the rules of `Run`; `wait` is called between polls. */
export function memoryRun(session: Session, memory = newMemory(), wait: () => Promise<unknown> = pause): Run {
  const { done, intents } = memory;
  async function remembered<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!done.has(name)) done.set(name, JSON.parse(JSON.stringify(await work())));
    return done.get(name) as T; // stored under this name by a call of the same type
  }
  async function commit<T>(name: string, work: () => Promise<T>, recovery?: Recovery<T>): Promise<T> {
    const since = intents.get(name);
    if (since) {
      const found = await recovery?.find(since);
      if (found !== undefined) return found;
      if (!recovery?.repeatable) throw new PlatformError("unknown", "The outcome is not known");
    }
    intents.set(name, since ?? new Date());
    try {
      return await work();
    } catch (error) {
      if (error instanceof PlatformError && error.refused) intents.delete(name);
      throw error;
    }
  }
  async function poll<T>(check: () => Promise<T | undefined>): Promise<T> {
    for (let round = 0; round < 50; round++) {
      const result = await check();
      if (result !== undefined) return result;
      await wait();
    }
    throw new Error("polled 50 times without a result");
  }
  return {
    ...session,
    step: remembered,
    isDone: (name) => done.has(name),
    commit: (name, work, recovery) => remembered(name, () => commit(name, work, recovery)),
    poll: (name, check) => remembered(name, () => poll(check)),
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
