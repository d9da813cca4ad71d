import type { Service } from "../setup/service";
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
    let last: Service | undefined;
    for (let n = 0; n < times; n++) {
      await last?.stop();
      const first = await product.startWorker();
      const texts = textsOf(`stopped ${n}`, context.seed, 12);
      const scheduling = scheduleAll(product, person, texts, new Date());
      await pause(150);
      process.kill(first.pid, "SIGSTOP");
      last = await product.startWorker();
      sent.push(...(await scheduling));
      await pause(pausedMs);
      process.kill(first.pid, "SIGCONT");
      await pause(1_000);
      await first.kill();
      log(`${n + 1} of ${times}`);
    }
    const counts = await invariants(context, sent, 60);
    return { stops: times, ...counts, takenOverSeconds: last && (await takeOver(context, person, last)) };
  },
};

/**
 * A worker dies during its final calls, which the networks have executed but not answered, while another worker runs.
 * Returns the seconds until all posts on X are found and reported as published. The one on Telegram, which cannot be searched, is UNKNOWN.
 */
async function takeOver(context: TrialContext, person: Person, doomed: Service): Promise<number> {
  const { product, fail } = context;
  const reader = await personOf(product, { platform: "TELEGRAM", accounts: 1 });
  const texts = textsOf("dead", context.seed, person.accounts.length);
  const hidden = textsOf("hidden", context.seed, 1);
  const late = { operation: "publish", fault: "late_response", afterSeconds: 300 };
  await fault(product, { ...late, times: texts.length });
  await fault(product, { ...late, times: hidden.length, network: "telegram" });
  const sent = await scheduleAll(product, person, texts, new Date());
  const unseen = await scheduleAll(product, reader, hidden, new Date());
  const areThere = async (network: string, wanted: string[]) => {
    const held = new Set((await ledger(product, network)).map(({ text }) => text));
    return wanted.every((text) => held.has(text));
  };
  while (!(await areThere("x", texts)) || !(await areThere("telegram", hidden))) await pause(50);
  const heir = await product.startWorker();
  await doomed.kill();
  const since = performance.now();
  const found = await invariants(context, sent, 60);
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  if (seconds > 15) fail(`a dead worker's work was taken over after ${seconds} s`);
  if (found.published !== sent.length) fail(`${sent.length - found.published} posts were not found`);
  const { unknown } = await invariants(context, unseen, 60);
  if (unknown !== unseen.length) fail("the outcome of a post that cannot be found is not UNKNOWN");
  await heir.stop();
  return seconds;
}
