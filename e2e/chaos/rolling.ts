import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { pause, personOf, scheduleAll, textsOf } from "./rig";

/** T25: workers and the web process are replaced one after the other while posts are published. */
export const rolling: Trial = {
  id: "T25",
  guarantee: "a rolling restart under load: failed 0, doubled 0",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const { product, fail } = context;
    const [posts, rounds] = size === "short" ? [60, 1] : [1_000, 10];
    const person = await personOf(product, { accounts: Math.max(6, posts / 50) });
    let worker = await product.startWorker();
    const texts = textsOf("rolling", context.seed, posts);
    const scheduling = scheduleAll(product, person, texts, new Date());
    for (let round = 0; round < rounds; round++) {
      await pause(500);
      const next = await product.startWorker();
      await worker.stop();
      worker = next;
      if (size === "short" || round % 2 === 1) await product.restart();
    }
    const counts = await invariants(context, await scheduling, 120);
    await worker.stop();
    if (counts.published !== posts) fail(`${posts - counts.published} of ${posts} did not go out`);
    return { posts, restarts: rounds, ...counts };
  },
};
