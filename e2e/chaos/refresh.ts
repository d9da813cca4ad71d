import type { Service } from "../setup/service";
import type { Size, Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { callsTo, fault, pause, personOf, scheduleAll, textsOf } from "./rig";

/** X takes 100 posts of an account in a quarter of an hour. */
const MOST_POSTS = 90;
const WORKERS = { short: 2, whole: 4 } satisfies Record<Size, number>;

/** T6: a token has expired, and several workers have posts for it. */
export const oneRefresh: Trial = {
  id: "T6",
  guarantee:
    "200 due posts, one account whose token has expired, several workers, a slow token endpoint: exactly one refresh",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const workers = await Promise.all(Array.from({ length: WORKERS[size] }, () => context.product.startWorker()));
    const figures: { [answer: string]: unknown } = {};
    for (const seconds of size === "short" ? [2] : [2, 15]) {
      figures[`answered after ${seconds} s`] = await refreshOnce(context, seconds, size === "short" ? 40 : 200);
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    return figures;
  },
};

async function refreshOnce(context: TrialContext, seconds: number, posts: number) {
  const { product, fail, seed } = context;
  const person = await personOf(product, { accounts: Math.ceil(posts / MOST_POSTS) + 1, expired: 1 });
  await fault(product, { operation: "refresh", fault: "slow", times: 1, afterSeconds: seconds });
  const texts = textsOf(`refresh ${seconds}`, seed, posts);
  const counts = await invariants(context, await scheduleAll(product, person, texts, new Date()), 90 + seconds);
  const refreshes = await refreshesOf(context, [person.accounts[0]?.person ?? ""]);
  if (refreshes !== 1) fail(`${refreshes} refreshes, with a token endpoint of ${seconds} s`);
  if (counts.published !== posts) fail(`${posts - counts.published} of ${posts} did not go out`);
  return { posts, refreshes, ...counts };
}

/** T7: workers die during a refresh. Each account has its own refresh token. */
export const killedRefresh: Trial = {
  id: "T7",
  guarantee: "kills during a refresh: no refresh token is shown twice, and what cannot go out says why",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const { product, fail, random, log, seed } = context;
    const wanted = size === "short" ? 2 : 50;
    const person = await personOf(product, { accounts: wanted, expired: wanted });
    const ways = ["refreshing:kill", "refreshed:kill", undefined];
    const sent = [];
    for (const [round, account] of person.accounts.entries()) {
      const way = ways[round % ways.length];
      if (!way) await fault(product, { operation: "refresh", fault: "slow", times: 1, afterSeconds: 1 });
      const doomed = await product.startWorker(way ? { FAIL_POINTS: way } : {});
      const one = { ...person, accounts: [account] };
      sent.push(...(await scheduleAll(product, one, textsOf(`token ${round}`, seed, 2), new Date())));
      await (way ? untilDown(doomed) : pause(200 + random() * 1_000));
      await doomed.kill();
      log(`${round + 1} of ${wanted} killed`);
    }
    const heir = await product.startWorker();
    const counts = await invariants(context, sent, 120);
    await heir.stop();
    let twice = 0;
    for (const { person: name } of person.accounts) if ((await refreshesOf(context, [name])) > 1) twice += 1;
    if (twice > 0) fail(`${twice} refresh tokens were shown twice`);
    return { kills: wanted, twice, ...counts };
  },
};

async function untilDown(worker: Service): Promise<void> {
  const until = performance.now() + 30_000;
  while (worker.isUp() && performance.now() < until) await pause(50);
}

async function refreshesOf({ product }: TrialContext, people: string[]): Promise<number> {
  const calls = await callsTo(product);
  return calls.filter(({ operation, account }) => operation === "refresh" && people.includes(account ?? "")).length;
}
