import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { pause, personOf, scheduleAll, textsOf } from "./rig";

/** One more than the claims without progress after which a publication is set aside. */
const DEATHS = 5;

/** T11: something ends each worker that begins it, and all of it was claimed together. */
export const poison: Trial = {
  id: "T11",
  promise:
    "workers that die as soon as they begin, five times: what was claimed beside it is not set aside, all goes out",
  settings: async () => ({ WORKER: "off" }),
  async run(field, size) {
    const { product, breach, say, seed } = field;
    const posts = size === "short" ? 12 : 60;
    const person = await personOf(product, { accounts: posts });
    const sent = await scheduleAll(product, person, textsOf("poison", seed, posts), new Date());
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
    if (counts.published !== posts) breach(`${posts - counts.published} of ${posts} did not go out`);
    return { posts, deaths: DEATHS, ...counts };
  },
};
