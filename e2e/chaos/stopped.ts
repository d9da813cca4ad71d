import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { ledger, pause, peopleOf, scheduleAll } from "./rig";

/** T4 and T5: a worker stands still for longer than its claims last, then goes on; another one has taken over. */
export const stopped: Trial = {
  id: "T4",
  promise: "a worker is stopped and continued while another takes over: doubled 0; a dead one is replaced within 15 s",
  settings: async () => ({ WORKER: "off" }),
  async run(field, size) {
    const { product, say } = field;
    const [times, standsMs] = size === "short" ? [1, 35_000] : [20, 90_000];
    const [person] = await peopleOf(product, [6]);
    if (!person) throw new Error("nobody was made");
    const sent = [];
    for (let n = 0; n < times; n++) {
      const first = await product.startWorker();
      const texts = Array.from({ length: 12 }, (_, k) => `stopped ${field.seed} ${n} ${k}`);
      const scheduling = scheduleAll(product, person, texts, new Date());
      await pause(150);
      process.kill(first.pid, "SIGSTOP");
      const second = await product.startWorker();
      sent.push(...(await scheduling));
      await pause(standsMs);
      process.kill(first.pid, "SIGCONT");
      await pause(1_000);
      await first.kill();
      await second.stop();
      say(`${n + 1} of ${times}`);
    }
    await product.startWorker();
    const counts = await invariants(field, sent, 60);
    return { stops: times, ...counts, takenOverSeconds: await takeOver() };

    /** A worker dies with everything claimed; seconds until the last of it is out by another. */
    async function takeOver(): Promise<number> {
      const doomed = await product.startWorker();
      const texts = Array.from({ length: 12 }, (_, k) => `dead ${field.seed} ${k}`);
      const scheduling = scheduleAll(product, person ?? { token: "", accounts: [] }, texts, new Date());
      await pause(100);
      await doomed.kill();
      const since = performance.now();
      const late = await scheduling;
      await invariants(field, late, 60);
      const out = (await ledger(product)).filter(({ text }) => texts.includes(text)).length;
      const seconds = Math.round((performance.now() - since) / 100) / 10;
      if (seconds > 15) field.breach(`it took ${seconds} s until ${out} of ${texts.length} were out`);
      return seconds;
    }
  },
};
