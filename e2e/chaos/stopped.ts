import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { fault, ledger, type Person, pause, personOf, scheduleAll, textsOf } from "./rig";

/** T4 and T5: a worker is paused for longer than its lease, then continues after another one has taken over. */
export const stopped: Trial = {
  id: "T4",
  guarantee:
    "a worker is stopped and continued while another takes over: doubled 0; a dead one is replaced within 15 s",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const { product, log } = context;
    const [times, pausedMs] = size === "short" ? [1, 35_000] : [20, 90_000];
    const person = await personOf(product, { accounts: 6 });
    const sent = [];
    for (let n = 0; n < times; n++) {
      const first = await product.startWorker();
      const texts = textsOf(`stopped ${n}`, context.seed, 12);
      const scheduling = scheduleAll(product, person, texts, new Date());
      await pause(150);
      process.kill(first.pid, "SIGSTOP");
      const second = await product.startWorker();
      sent.push(...(await scheduling));
      await pause(pausedMs);
      process.kill(first.pid, "SIGCONT");
      await pause(1_000);
      await first.kill();
      await second.stop();
      log(`${n + 1} of ${times}`);
    }
    const last = await product.startWorker();
    const counts = await invariants(context, sent, 60);
    await last.stop();
    return { stops: times, ...counts, takenOverSeconds: await takeOver(context, person) };
  },
};

/**
 * A worker dies during its final calls, which the network has executed but not answered, while another worker runs.
 * Returns the seconds until all posts are found and reported as published.
 */
async function takeOver(context: TrialContext, person: Person): Promise<number> {
  const { product, fail } = context;
  const texts = textsOf("dead", context.seed, person.accounts.length);
  const doomed = await product.startWorker();
  await fault(product, { operation: "publish", fault: "late_response", times: texts.length, afterSeconds: 300 });
  const sent = await scheduleAll(product, person, texts, new Date());
  const areThere = async () => (await ledger(product)).filter(({ text }) => texts.includes(text)).length;
  while ((await areThere()) < texts.length) await pause(50);
  const heir = await product.startWorker();
  await doomed.kill();
  const since = performance.now();
  await invariants(context, sent, 60);
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  if (seconds > 15) fail(`a dead worker's work was taken over after ${seconds} s`);
  await heir.stop();
  return seconds;
}
