import { besideTransaction } from "./index";

type Waiting<In, Out> = { one: In; resolve(out: Out): void; reject(error: unknown): void };

/**
 * Many callers, few statements: whatever is asked for while the last statement is under way goes into the next one, and a
 * lone caller waits for nobody. Where one fails for several, each is asked for alone, so that nobody fails for another.
 * @param work does all or nothing, and answers in the order in which it was asked
 */
export function batch<In, Out>(work: (all: In[]) => Promise<Out[]>, most = 100): (one: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let isUnderWay = false;

  async function next(): Promise<void> {
    const batch = waiting.splice(0, most);
    if (batch.length === 0) {
      isUnderWay = false;
      return;
    }
    await answer(batch);
    return next();
  }

  async function answer(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await work(batch.map(({ one }) => one));
      for (const [index, { resolve }] of batch.entries()) resolve(outs[index] as Out); // one for each, see `work`
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const single of batch) await answer([single]);
    }
  }

  return (one) =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      // Not before everybody has been heard whom the same event woke.
      setImmediate(() => besideTransaction(next));
    });
}
