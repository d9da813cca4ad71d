import type { Published, Run } from "../network";
import { memoryRun, newMemory } from "./run";

/** Thrown to end a run at a fail point; no code handles it. */
class Killed extends Error {}

/**
 * Publishes once for every point at which the process can be killed, before and after each piece of work, and goes on with
 * what was remembered. Answers what came out at each; `publish` is told the number of the point, from 1.
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
    <T>(work: () => Promise<T>) =>
    async () => {
      pass();
      const made = await work();
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
