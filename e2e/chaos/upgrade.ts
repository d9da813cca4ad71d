import type { OwnProduct } from "../setup/product";
import type { Service } from "../setup/service";
import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { previousRelease, type Release } from "./previous-release";
import { pause, personOf, scheduleAll, textsOf } from "./rig";

/** T29: workers of the previous and the new release run side by side on the new schema; then the previous release comes back. */
export const upgrade: Trial = {
  id: "T29",
  guarantee: "the previous release beside the new one, under load and kills, and then alone again: lost 0, doubled 0",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const { product, random, log, fail } = context;
    const [posts, kills] = size === "short" ? [60, 4] : [1_000, 30];
    const previous = await previousRelease(context.from);
    log(`the previous release is ${previous.name}`);
    const person = await personOf(product, { accounts: Math.max(6, posts / 50) });
    const load = (name: string) => scheduleAll(product, person, textsOf(name, context.seed, posts), new Date());

    const workers = { previous: await workerOf(product, previous), next: await product.startWorker() };
    const upgrading = load("upgrade");
    for (let n = 0; n < kills; n++) {
      await pause(300 + random() * 1_200);
      const doomed = random() < 0.5 ? "previous" : "next";
      await workers[doomed].kill();
      workers[doomed] = doomed === "previous" ? await workerOf(product, previous) : await product.startWorker();
      log(`${n + 1} of ${kills} killed: the worker of the ${doomed} release`);
    }
    const sent = await upgrading;

    const goingBack = load("rollback");
    await pause(500);
    await workers.next.kill(); // in the middle of its work, which the previous release takes over
    if (size === "whole") await product.restart({}, previous.folder);
    sent.push(...(await goingBack));
    const counts = await invariants(context, sent, 180);
    await workers.previous.stop();
    if (counts.published + counts.unknown !== sent.length) fail(`only ${counts.published} of ${sent.length} went out`);
    return { from: previous.name, posts: sent.length, kills, ...counts };
  },
};

function workerOf(product: OwnProduct, { folder }: Release): Promise<Service> {
  return product.startWorker({}, folder);
}
