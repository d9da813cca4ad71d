import { outsideSharedTransaction } from "./index";

type Waiting<In, Out> = { input: In; resolve(output: Out): void; reject(error: unknown): void };

/**
 * Combines the calls of many callers into few statements. Calls that arrive while a statement runs are collected and go into
 * the next one; a single caller does not wait for others. If a batch fails, each of its inputs is tried alone, so that one
 * caller's error does not fail the others.
 * @param work processes all inputs or none, and returns one output per input in the same order
 */
export function batch<In, Out>(work: (inputs: In[]) => Promise<Out[]>, maxInputs = 100): (input: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let isRunning = false;

  async function runNext(): Promise<void> {
    const calls = waiting.splice(0, maxInputs);
    if (calls.length === 0) {
      isRunning = false;
      return;
    }
    await process(calls);
    return runNext();
  }

  async function process(calls: Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await work(calls.map(({ input }) => input));
      for (const [index, { resolve }] of calls.entries()) resolve(outputs[index] as Out); // one per input, see `work`
    } catch (error) {
      if (calls.length === 1) calls[0]?.reject(error);
      else for (const call of calls) await process([call]);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // Deferred, so that all callers that the same event woke are in the first batch.
      setImmediate(() => outsideSharedTransaction(runNext));
    });
}
