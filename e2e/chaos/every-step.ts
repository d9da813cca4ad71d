import type { FailPoint } from "../../lib/jobs/fail-points";
import { allNetworks, type Network } from "../../lib/networks";
import type { Service } from "../setup/service";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { areOver, pause, peopleOf, type Sent, scheduleAll, textsOf } from "./rig";

/** Every step of publishing at which a process can die. The last one is only reached after a death at an earlier one. */
const POINTS: FailPoint[] = ["claimed", "opened", "prepared", "announced", "answered", "stored", "settled", "found"];
/** The short form has one on each side of the final call. The unit tests of lib/schedules/publish have all of them on every format. */
const SHORT_POINTS: FailPoint[] = ["announced", "answered"];
const POSTS = 2;
const ROUNDS = 50;
const PATIENCE_MS = 20_000;
/** TikTok takes five drafts of an account in 24 hours, and counts one that a dead worker began. */
const POSTS_PER_ACCOUNT = 3;

/** T2: a process dies at each step, on each registered network, while posts of all formats and first comments are published. */
export const everyStep: Trial = {
  id: "T2",
  guarantee: "a worker killed at every step of publishing, on every network: doubled 0, lost 0, stuck 0, misreported 0",
  settings: async () => ({ WORKER: "off" }),
  parts: () => allNetworks().map(({ name }) => name),
  async run(context, size) {
    const networks = allNetworks().filter(({ name }) => context.isWanted(name));
    // In the short form, each death hits posts on all networks at once, because it costs the start of a process.
    if (size === "short") return dieOften(context, networks, SHORT_POINTS);
    const figures: { [network: string]: unknown } = {};
    for (const network of networks) {
      const first = Math.floor(context.random() * POINTS.length);
      const points = Array.from({ length: ROUNDS }, (_, round) => POINTS[(first + round) % POINTS.length] as FailPoint);
      figures[network.name] = await dieOften(context, [network], points);
      context.log(`${network.name}: ${JSON.stringify(figures[network.name])}`);
    }
    return { deaths: ROUNDS, ...figures };
  },
};

/** Workers die at these points, one after the other, while posts on these networks are published. */
async function dieOften(context: TrialContext, networks: Network[], points: FailPoint[]) {
  const { product, log, seed, random } = context;
  const accounts = POSTS * Math.max(Math.min(points.length, 4), Math.ceil(points.length / POSTS_PER_ACCOUNT));
  const people = await peopleOf(
    product,
    networks.map(({ platform }) => ({ platform, accounts, isMixed: true })),
  );
  const sent: Sent[] = [];
  let died = 0;
  for (const [round, point] of points.entries()) {
    const nth = 1 + Math.floor(random() * POSTS);
    const doomed = await product.startWorker({ FAIL_POINTS: `${point}:kill@${nth}` });
    // Posts of earlier rounds are still open, so some of them see several deaths. The accounts take turns, because networks
    // limit how often each may post, and because each has its format. Whenever the points start again, the accounts skip one turn,
    // so that each format meets every point.
    const turn = round + Math.floor(round / POINTS.length);
    const from = (turn * POSTS) % accounts;
    for (const [n, person] of people.entries()) {
      const those = { ...person, accounts: person.accounts.slice(from, from + POSTS) };
      const texts = textsOf(`${networks[n]?.platform} ${round}`, seed, POSTS);
      sent.push(...(await scheduleAll(product, those, texts, new Date())));
    }
    if (await ends(doomed, () => areOver(product, sent))) died += 1;
    await doomed.kill();
    log(`${round + 1} of ${points.length}, ${died} died`);
  }
  const heir = await product.startWorker();
  const counts = await invariants(context, sent, 180);
  await heir.stop();
  return { died, ...counts };
}

/** Whether the worker died in time. One that never reached its fail point has completed its work instead. */
async function ends(worker: Service, isDone: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (worker.isUp() && performance.now() < until && !(await isDone())) await pause(200);
  await pause(200); // The last step comes after the outcome is visible.
  return !worker.isUp();
}
