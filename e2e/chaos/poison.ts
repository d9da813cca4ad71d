import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { pause, peopleOf, scheduleAll, textsOf } from "./rig";

/** Twice everything that was claimed together, then one publication alone. */
const DEATHS = 3;

/** T11: something ends each worker that begins it, and all of it was claimed together. */
export const poison: Trial = {
  id: "T11",
  promise:
    "workers that die as soon as they begin, three times: one publication is set aside, and all beside it go out",
  settings: async () => ({ WORKER: "off" }),
  async run(field, size) {
    const { product, breach, say, seed } = field;
    const posts = size === "short" ? 12 : 60;
    // Two people, so that neither has more due than a worker takes of one owner.
    const people = await peopleOf(product, [{ accounts: posts / 2 }, { accounts: posts / 2 }]);
    const of = (n: number) => textsOf(`poison ${n}`, seed, posts / 2);
    const at = new Date();
    const sent = (await Promise.all(people.map((person, n) => scheduleAll(product, person, of(n), at)))).flat();
    for (let death = 1; death <= DEATHS; death++) {
      const doomed = await product.startWorker({ FAIL_POINTS: "claimed:kill" });
      const until = performance.now() + 60_000;
      while (doomed.isUp() && performance.now() < until) await pause(50);
      if (doomed.isUp()) breach("a worker never began what was due");
      await doomed.kill();
      say(`${death} of ${DEATHS} died`);
    }
    const heir = await product.startWorker();
    const counts = await invariants(field, sent, 120);
    await heir.stop();
    if (counts.failed !== 1) breach(`${counts.failed} were set aside; only one was begun alone`);
    if (counts.published !== posts - 1) breach(`${posts - 1 - counts.published} of the others did not go out`);
    return { posts, deaths: DEATHS, ...counts };
  },
};
