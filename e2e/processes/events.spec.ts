import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { openCluster } from "../../lib/db/cluster";
import type { FailPoint } from "../../lib/jobs/fail-points";
import { ownPort } from "../../lib/testing/own-port";
import { type Receivers, startReceivers } from "../chaos/receivers";
import { type OwnProduct, startProduct } from "../setup/product";
import { type Service, startService } from "../setup/service";
import { follow } from "../setup/stream";
import { jsonOf, send, sendJson } from "../trials/http";
import { connectAccount, newPerson, type Person, signIn } from "../trials/people";

/** Covers the delay of the event log, the lease of a dead worker and a busy machine. */
const SOON = { timeout: 60_000 };

let product: OwnProduct;
let receivers: Receivers;
let person: Person;
let accountId: number;
/** The worker of the current test, stopped after it. */
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

/** Schedules a post for later and returns the schedule's ID. */
async function schedule(): Promise<number> {
  const posted = [{ content: `post ${posts++}` }];
  const publications = [{ socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: posted }];
  const body = { scheduledTime: "2036-01-01T00:00:00Z", publications };
  return jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/posts", body, person.headers)).id;
}

/** Starts a second web process on the product's database, on its own port. */
async function startSecondWeb(): Promise<Service & { url: string }> {
  const port = String(await ownPort());
  const { url, release } = await openCluster({ dataDir: product.dataDir, purpose: "command" });
  try {
    const settings = { ...product.settings, PORT: port, DATABASE_URL: url };
    const web = await startService(["bin/start.mjs"], settings, "Carillon is ready");
    return { ...web, url: `http://localhost:${port}` };
  } finally {
    await release();
  }
}

type Grant = { key: string; url: string; headers: { [name: string]: string } };

/** Grants, sends and confirms an upload, each at one of these web processes, and reads the file at the first one. */
async function uploadThrough(granting: string, receiving: string, confirming: string): Promise<void> {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  const at = (url: string) => url.replace(/^http:\/\/[^/]+/, ""); // the processes have one address in front of them
  const asked = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: bytes.length };
  const granted = await sendJson(granting, "POST", "/v1/media/upload/urls", asked, person.headers);
  const { key, url, headers } = jsonOf<Grant>(granted);
  expect((await send(receiving, at(url), { method: "PUT", headers, body: bytes })).status).toBe(200);
  const confirmed = await sendJson(confirming, "POST", "/v1/media/upload/confirm", { key }, person.headers);
  const file = await send(granting, at(jsonOf<{ url: string }>(confirmed).url));
  expect([file.status, file.headers["content-length"]]).toEqual([200, String(bytes.length)]);
}

test.describe("two web processes on one database and one folder", () => {
  let second: Service & { url: string };
  test.beforeAll(async () => {
    second = await startSecondWeb();
  });
  test.afterAll(() => second?.kill());

  test("an upload may be granted, received and confirmed by different ones", async () => {
    await uploadThrough(product.url, second.url, product.url);
    await uploadThrough(second.url, product.url, second.url);
    await uploadThrough(second.url, second.url, product.url);
  });

  test("a stream reports changes made through another web process, and continues without a gap after its own process dies", async () => {
    const cookie = await signIn(product, person.email);
    worker = await product.startWorker();
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
  });
});

type Delivery = { state: string; attempts: object[] };

test("the receiver processes each event once although workers die at every step between a change and its delivery", async () => {
  const path = "/good/events";
  const input = { url: receivers.urlOf(path), events: ["post.scheduled"] };
  const made = await sendJson(product.url, "POST", "/v1/webhooks", input, person.headers);
  const { id, secret } = jsonOf<{ id: number; secret: string }>(made);
  const inbox = receivers.open(path, secret);
  const written: number[] = [];
  const dieAt = async (point: FailPoint) => {
    const doomed = await product.startWorker({ FAIL_POINTS: `${point}:kill` });
    written.push(await schedule());
    await expect.poll(doomed.isUp, { ...SOON, message: `the worker dies at ${point}` }).toBe(false);
  };

  await dieAt("addressed"); // The change is stored, its delivery is not.
  expect(inbox.visits).toBe(0);
  worker = await product.startWorker();
  await expect.poll(() => inbox.visits, SOON).toBe(1);
  await worker.stop();
  await dieAt("sent"); // The receiver has answered, but this is not recorded.
  await dieAt("taken"); // claimed, but not sent
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

test("a web process and a worker log that their event loop was blocked, and their metrics show for how long", async () => {
  const metricsPort = String(await ownPort());
  worker = await product.startWorker({ METRICS_PORT: metricsPort });
  const before = [product.output().length, worker.output().length];
  const pids = [product.webPid(), worker.pid];
  const pause = async () => {
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const since = performance.now();
    await expect.poll(() => performance.now() - since).toBeGreaterThan(200);
    for (const pid of pids) process.kill(pid, "SIGCONT");
  };

  const longest = { logged: [0, 0], exported: [0, 0] };
  const look = async () => {
    await pause(); // again and again: a worker watches its event loop only once everything else has started
    const outputs = [product.output(), worker?.output() ?? ""].map((output, at) => output.slice(before[at]));
    for (const [at, origin] of [product.url, `http://127.0.0.1:${metricsPort}`].entries()) {
      const { text } = await send(origin, "/metrics");
      const exported = /^carillon_event_loop_delay_seconds\{statistic="max"\} (.+)$/m.exec(text)?.[1];
      longest.exported[at] = Math.max(longest.exported[at] ?? 0, Number(exported));
      const logged = outputs[at]?.matchAll(/"maxMs":(\d+),"msg":"the event loop was blocked for long"/g) ?? [];
      longest.logged[at] = Math.max(0, ...[...logged].map(([, ms]) => Number(ms))); // a busy machine blocks it too
    }
    return Math.min(...longest.logged, ...longest.exported.map((seconds) => seconds * 1000));
  };
  await expect.poll(look, SOON).toBeGreaterThanOrEqual(200);
});
