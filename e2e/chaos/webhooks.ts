import { ownPort } from "../../lib/testing/own-port";
import type { OwnProduct } from "../setup/product";
import type { Service } from "../setup/service";
import { pick } from "../trials/random";
import type { Trial, TrialContext } from "../trials/trial";
import { logOf } from "./events";
import { type Inbox, MANNERS, type Receivers, startReceivers } from "./receivers";
import { type Person, pause, peopleOf, scheduleAll, textsOf } from "./rig";

type Delivery = { id: string; state: string; body: string; attempts: object[] };
type Hook = { id: number; path: string; person: Person; inbox: Inbox };

const LATER = new Date("2036-01-01T00:00:00Z");
const ALL_ATTEMPTS = 10;

/** T14: every event is delivered or visibly given up, whatever happens to workers and receivers. */
export const webhooks: Trial = {
  id: "T14",
  guarantee:
    "10,000 events, three receivers in ten bad, workers killed: each event is in the log once, and delivered or visibly given up",
  settings: async () => ({
    WORKER: "off",
    TIME_FACTOR: "20000",
    EGRESS_ALLOW: `127.0.0.1+127.0.0.1+${await ownPort()}`,
  }),
  async run(context, size) {
    const { product, random, seed, log } = context;
    const [events, kills, seconds] = size === "short" ? [100, 1, 120] : [10_000, 30, 1_200];
    const port = Number(product.settings.EGRESS_ALLOW?.split("+").at(-1));
    const receivers = await startReceivers(port);
    const people = await peopleOf(
      product,
      MANNERS.map(() => ({ accounts: 1 })),
    );
    const hooks = await Promise.all(people.map((person, n) => hookOf(product, receivers, person, n)));
    const workers: Service[] = [await product.startWorker(), await product.startWorker()];
    const share = Math.ceil(events / people.length);
    const scheduling = Promise.all(
      people.map((person, n) => scheduleAll(product, person, textsOf(`event of ${n},`, seed, share), LATER)),
    );
    for (let n = 0; n < kills; n++) {
      await pause(500 + random() * 2_000);
      const doomed = pick(random, workers);
      await doomed.kill();
      workers.splice(workers.indexOf(doomed), 1, await product.startWorker());
      log(`${n + 1} of ${kills} killed`);
    }
    await scheduling;
    const figures = await account(context, hooks, { share, seconds });
    if (receivers.unverified() > 0)
      context.fail(`${receivers.unverified()} requests were not signed as they have to be`);
    for (const worker of workers) await worker.stop();
    await receivers.close();
    return { events: share * people.length, kills, ...figures };
  },
};

async function hookOf(product: OwnProduct, receivers: Receivers, person: Person, n: number): Promise<Hook> {
  const path = `/${MANNERS[n]}/${n}`;
  const { id, secret } = await ask<{ id: number; secret: string }>(product, person.token, "/v1/webhooks", {
    url: receivers.urlOf(path),
    events: ["post.scheduled"],
  });
  return { id, path, person, inbox: receivers.open(path, secret) };
}

/** Waits for all deliveries and checks the outcome of every event. */
async function account({ product, fail }: TrialContext, hooks: Hook[], { share, seconds }: Bounds) {
  const until = performance.now() + seconds * 1000;
  const counts = { delivered: 0, givenUp: 0, missing: 0, disabled: 0 };
  for (const { id, path, person, inbox } of hooks) {
    let all = await deliveriesOf(product, person, id);
    while (isWaiting(all, share) && performance.now() < until) {
      await pause(1_000);
      all = await deliveriesOf(product, person, id);
    }
    const log = await logOf<{ type: string; data: { id: number } }>(product, person.token);
    const told = log.filter(({ type }) => type === "post.scheduled").map(({ data }) => data.id);
    if (new Set(told).size !== share || told.length !== share)
      fail(`${path}: ${told.length} of ${share} are in the log`);
    const sent = new Set(all.map(({ body }) => JSON.parse(body).data.id));
    counts.missing += told.filter((one) => !sent.has(one)).length;
    const { enabled } = await ask<{ enabled: boolean }>(product, person.token, `/v1/webhooks/${id}`);
    if (!enabled) counts.disabled += 1;
    if (!enabled && !/broken|hanging/.test(path)) fail(`${path}: the endpoint was disabled`);
    const worked = new Set(inbox.worked.map((one) => one.id));
    const twice = inbox.worked.length - new Set(inbox.worked.map(({ event }) => event.data.id)).size;
    if (twice > 0) fail(`${path}: ${twice} events were worked on twice`);
    for (const { id: delivery, state, attempts } of all) {
      const isVisible = state === "FAILED" && (attempts.length >= ALL_ATTEMPTS || !enabled);
      if (state === "DELIVERED" && worked.has(delivery)) counts.delivered += 1;
      else if (isVisible) counts.givenUp += 1;
      else fail(`${path}: ${delivery} is ${state} after ${attempts.length} attempts`);
      if (state !== "DELIVERED" && /good/.test(path)) fail(`${path}: ${delivery} was not delivered`);
    }
  }
  if (counts.missing > 0) fail(`${counts.missing} events have no delivery`);
  return counts;
}
type Bounds = { share: number; seconds: number };

const isWaiting = (all: Delivery[], share: number) =>
  all.length < share || all.some(({ state }) => state === "PENDING");

async function deliveriesOf(product: OwnProduct, { token }: Person, id: number): Promise<Delivery[]> {
  const all: Delivery[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/v1/webhooks/${id}/deliveries?limit=100${cursor ? `&cursor=${cursor}` : ""}`;
    const page: { items: Delivery[]; nextCursor: string | null } = await ask(product, token, path);
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

async function ask<T>(product: OwnProduct, token: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(`${product.url}${path}`, call);
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
