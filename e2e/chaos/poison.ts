import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { pause, peopleOf, scheduleAll, textsOf } from "./rig";

/** The first two deaths hit a batch, the third a single publication. */
const DEATHS = 3;

/** T11: one publication kills each worker that starts it, after being claimed in a batch with others. */
export const poison: Trial = {
  id: "T11",
  guarantee: "a publication that kills three workers at its start is not retried, and all others are published",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const { product, fail, log, seed } = context;
    const posts = size === "short" ? 12 : 60;
    // Two people, so that neither has more due posts than a worker claims of one owner.
    const people = await peopleOf(product, [{ accounts: posts / 2 }, { accounts: posts / 2 }]);
    const of = (n: number) => textsOf(`poison ${n}`, seed, posts / 2);
    const at = new Date();
    const sent = (await Promise.all(people.map((person, n) => scheduleAll(product, person, of(n), at)))).flat();
    for (let death = 1; death <= DEATHS; death++) {
      const doomed = await product.startWorker({ FAIL_POINTS: "claimed:kill" });
      const until = performance.now() + 60_000;
      while (doomed.isUp() && performance.now() < until) await pause(50);
      if (doomed.isUp()) fail("a worker never began what was due");
      await doomed.kill();
      log(`${death} of ${DEATHS} died`);
    }
    const heir = await product.startWorker();
    const counts = await invariants(context, sent, 120);
    await heir.stop();
    if (counts.failed !== 1) fail(`${counts.failed} were set aside; only one was begun alone`);
    if (counts.published !== posts - 1) fail(`${posts - 1 - counts.published} of the others did not go out`);
    return { posts, deaths: DEATHS, ...counts };
  },
};
