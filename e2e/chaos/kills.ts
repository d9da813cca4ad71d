import type { Service } from "../setup/service";
import { pick } from "../trials/random";
import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { killDatabase } from "./on-database";
import { pause, personOf, scheduleAll, textsOf } from "./rig";

/** What the short form kills, in this order. */
const SHORT_KILLS = ["worker", "database", "web"] as const;
/** What the long form chooses from. Most of its processes are workers. */
const KILLS = [...Array<"worker">(5).fill("worker"), "database", "web"] as const;

/** T1: processes and the embedded database die at any moment, and every post is published once or has a reason. */
export const kills: Trial = {
  id: "T1",
  guarantee:
    "posts under random kill -9 of workers, the web process and the database: lost 0, doubled 0, stuck 0, misreported 0",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const { product, random, log } = context;
    const [posts, wanted] = size === "short" ? [60, SHORT_KILLS.length] : [2_000, 60];
    const person = await personOf(product, { accounts: Math.max(6, posts / 50) });
    const workers: Service[] = [await product.startWorker(), await product.startWorker()];
    const texts = textsOf("kill", context.seed, posts);
    const scheduling = scheduleAll(product, person, texts, new Date());
    for (let n = 0; n < wanted; n++) {
      await pause(300 + random() * 1_200);
      const killed = size === "short" ? SHORT_KILLS[n] : pick(random, KILLS);
      if (killed === "web") {
        await product.kill();
        await product.restart();
      } else if (killed === "database") await killDatabase(product);
      else {
        const doomed = pick(random, workers);
        await doomed.kill();
        workers.splice(workers.indexOf(doomed), 1, await product.startWorker());
      }
      log(`${n + 1} of ${wanted} killed`);
    }
    const counts = await invariants(context, await scheduling, 180);
    await Promise.all(workers.map((worker) => worker.stop()));
    return { posts, kills: wanted, ...counts };
  },
};
