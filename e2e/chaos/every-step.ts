import type { FailPoint } from "../../lib/jobs/fail-points";
import { allNetworks, type Network } from "../../lib/networks";
import type { Service } from "../setup/service";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { areOver, pause, personOf, type Sent, scheduleAll, textsOf } from "./rig";

/** Every step of publishing at which a process can die. The last one is only reached after a death at an earlier one. */
const POINTS: FailPoint[] = ["claimed", "opened", "prepared", "announced", "answered", "stored", "settled", "found"];
const POSTS = 2;
const PATIENCE_MS = 20_000;

/** T2: a process dies at each step, on each registered network, while posts of all formats and first comments are published. */
export const everyStep: Trial = {
  id: "T2",
  guarantee: "a worker killed at every step of publishing, on every network: doubled 0, lost 0, stuck 0, lied 0",
  settings: async () => ({ WORKER: "off" }),
  async run(context, size) {
    const rounds = size === "short" ? 2 : 50;
    const figures: { [network: string]: unknown } = {};
    for (const network of allNetworks().filter(({ name }) => context.isWanted(name))) {
      figures[network.name] = await dieOften(context, network, rounds);
      context.log(`${network.name}: ${JSON.stringify(figures[network.name])}`);
    }
    return { deaths: rounds, ...figures };
  },
};

async function dieOften(context: TrialContext, { platform, name }: Network, rounds: number) {
  const { product, log, seed, random } = context;
  const accounts = Math.max(POSTS * Math.min(rounds, 4), POSTS * Math.ceil(rounds / 5));
  const person = await personOf(product, { platform, accounts, isMixed: true });
  const sent: Sent[] = [];
  const first = Math.floor(random() * POINTS.length);
  let died = 0;
  for (let round = 0; round < rounds; round++) {
    const point = POINTS[(first + round) % POINTS.length];
    const nth = 1 + Math.floor(random() * POSTS);
    const doomed = await product.startWorker({ FAIL_POINTS: `${point}:kill@${nth}` });
    // Posts of earlier rounds are still open, so some of them see several deaths. The accounts take turns, because networks
    // limit how often each may post, and because each has its format.
    const from = (round * POSTS) % person.accounts.length;
    const those = { ...person, accounts: person.accounts.slice(from, from + POSTS) };
    sent.push(...(await scheduleAll(product, those, textsOf(`${platform} ${round}`, seed, POSTS), new Date())));
    if (await ends(doomed, () => areOver(product, sent))) died += 1;
    await doomed.kill();
    log(`${name}: ${round + 1} of ${rounds}, ${died} died`);
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
