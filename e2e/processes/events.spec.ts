import { expect, test } from "@playwright/test";
import { openCluster } from "../../lib/db/cluster";
import type { FailPoint } from "../../lib/jobs/fail-points";
import { ownPort } from "../../lib/testing/own-port";
import { type Receivers, startReceivers } from "../chaos/receivers";
import { type Product, startProduct } from "../setup/product";
import { type Service, startService } from "../setup/service";
import { follow } from "../setup/stream";
import { jsonOf, send, sendJson } from "../trials/http";
import { connectAccount, newPerson, type Person, signIn } from "../trials/people";

/** An event waits for the log to be settled, a claim for its dead worker to be missed, and all of it for a busy machine. */
const SOON = { timeout: 60_000 };

let product: Product;
let receivers: Receivers;
let person: Person;
let accountId: number;
/** The worker of a test; the next one begins without it. */
let worker: Service | undefined;

test.beforeAll(async () => {
  const port = await ownPort();
  receivers = await startReceivers(port);
  product = await startProduct({ env: { WORKER: "off", EGRESS_ALLOW: `127.0.0.1+127.0.0.1+${port}` } });
  person = await newPerson(product, "ada@example.com");
  accountId = await connectAccount(product, person, "X_TWITTER", "ada");
});
test.afterEach(() => worker?.stop());
test.afterAll(async () => {
  await product?.stop();
  await receivers?.close();
});

let posts = 0;

/** Writes a post for later; answers the schedule's id. */
async function schedule(): Promise<number> {
  const posted = [{ content: `told of ${posts++}` }];
  const publications = [{ socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: posted }];
  const body = { scheduledTime: "2036-01-01T00:00:00Z", publications };
  return jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/posts", body, person.headers)).id;
}

/** One more web process on the product's database, at an address of its own. */
async function startSecondWeb(): Promise<Service & { url: string }> {
  const port = String(await ownPort());
  const { url, release } = await openCluster({ dataDir: product.dataDir, purpose: "command" });
  try {
    const settings = { ...product.settings, PORT: port, SANDBOX: "off", DATABASE_URL: url };
    const web = await startService(["bin/start.mjs"], settings, "Carillon is ready");
    return { ...web, url: `http://localhost:${port}` };
  } finally {
    await release();
  }
}

test("what happens through one web process is told by another; when that dies, the stream goes on at the first without a gap", async () => {
  const cookie = await signIn(product, person.email);
  worker = await product.startWorker();
  const second = await startSecondWeb();
  try {
    const there = await follow(second.url, cookie);
    const told = () => there.messages.map(({ type }) => type);
    await expect.poll(told, SOON).toEqual(["open"]);
    await schedule();
    await expect.poll(told, SOON).toEqual(["open", "post.scheduled"]);
    await second.kill();
    await expect.poll(there.hasEnded).toBe(true);

    const missed = await schedule();
    expect((await send(product.url, `/v1/posts/${missed}`, { method: "DELETE", headers: person.headers })).status).toBe(
      204,
    );
    const here = await follow(product.url, cookie, there.messages.at(-1)?.id);
    const went = () => here.messages.map(({ type }) => type);
    await expect.poll(went, SOON).toEqual(["post.scheduled", "post.deleted"]);
    await schedule();
    await expect.poll(went, SOON).toEqual(["post.scheduled", "post.deleted", "post.scheduled"]);
    here.leave();
  } finally {
    await second.kill();
  }
});

type Delivery = { state: string; attempts: object[] };

test("workers die at every step between a change and its delivery: the receiver works on each event once", async () => {
  const path = "/good/told";
  const wish = { url: receivers.urlOf(path), events: ["post.scheduled"] };
  const made = await sendJson(product.url, "POST", "/v1/webhooks", wish, person.headers);
  const { id, secret } = jsonOf<{ id: number; secret: string }>(made);
  const inbox = receivers.open(path, secret);
  const written: number[] = [];
  const dieAt = async (point: FailPoint) => {
    const doomed = await product.startWorker({ FAIL_POINTS: `${point}:kill` });
    written.push(await schedule());
    await expect.poll(doomed.isUp, { ...SOON, message: `the worker dies at ${point}` }).toBe(false);
  };

  await dieAt("addressed"); // the change is there, its delivery not yet
  expect(inbox.visits).toBe(0);
  worker = await product.startWorker();
  await expect.poll(() => inbox.visits, SOON).toBe(1);
  await worker.stop();
  await dieAt("sent"); // the receiver has answered, and nobody has noted it down
  await dieAt("taken"); // claimed, and not sent
  expect(inbox.visits).toBe(2);

  worker = await product.startWorker();
  const deliveries = async () => {
    const answer = await send(product.url, `/v1/webhooks/${id}/deliveries`, { headers: person.headers });
    return jsonOf<{ items: Delivery[] }>(answer).items.map(({ state, attempts }) => [state, attempts.length]);
  };
  await expect.poll(deliveries, SOON).toEqual(written.map(() => ["DELIVERED", 1]));
  expect(inbox.worked.map(({ event }) => event.data.id)).toEqual(expect.arrayContaining(written));
  expect([inbox.worked.length, inbox.visits, receivers.unverified()]).toEqual([3, 4, 0]);
});
