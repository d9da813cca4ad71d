import { createHash } from "node:crypto";
import { expect, test } from "playwright/test";
import sharp from "sharp";
import { openCluster } from "../../lib/db/cluster";
import { serveFiles } from "../../lib/http/testing/file-server";
import type { FailPoint } from "../../lib/jobs/fail-points";
import { ownPort } from "../../lib/testing/own-port";
import { type Receivers, startReceivers } from "../chaos/receivers";
import { ledger } from "../chaos/rig";
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
/** The worker of the tests in which none dies, and its metrics. It starts with the first of them. */
let worker: Service | undefined;
let metricsUrl: string;
/** A server with one picture, which stops in the middle of each first download. */
let pictures: Awaited<ReturnType<typeof servePictures>>;

test.beforeAll(async () => {
  const [port, picturePort, metricsPort] = await Promise.all([ownPort(), ownPort(), ownPort()]);
  [receivers, pictures] = await Promise.all([startReceivers(port), servePictures(picturePort)]);
  metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const allowed = [port, picturePort].map((one) => `127.0.0.1+127.0.0.1+${one}`).join(",");
  product = await startProduct({ env: { WORKER: "off", EGRESS_ALLOW: allowed } });
  person = await newPerson(product, "ada@example.com");
  accountId = await connectAccount(product, person, "X_TWITTER", "ada");
});
test.afterAll(async () => {
  await product?.stop();
  await Promise.all([receivers?.close(), pictures?.files.close()]);
});

async function runningWorker(): Promise<Service> {
  worker ??= await product.startWorker({ METRICS_PORT: new URL(metricsUrl).port });
  return worker;
}

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

type Delivery = { state: string; attempts: object[] };

test("the receiver processes each event once although workers die at every step between a change and its delivery", async () => {
  const path = "/good/events";
  const input = { url: receivers.urlOf(path), events: ["post.scheduled"] };
  const made = await sendJson(product.url, "POST", "/v1/webhooks", input, person.headers);
  const { id, secret } = jsonOf<{ id: number; secret: string }>(made);
  const inbox = receivers.open(path, secret);
  const deliveries = async () => {
    const answer = await send(product.url, `/v1/webhooks/${id}/deliveries`, { headers: person.headers });
    return jsonOf<{ items: Delivery[] }>(answer).items.map(({ state, attempts }) => [state, attempts.length]);
  };
  const written: number[] = [];
  const dieAt = async (point: FailPoint, nth = 1) => {
    const doomed = await product.startWorker({ FAIL_POINTS: `${point}:kill@${nth}` });
    // It delivers everything from before first.
    if (nth > 1) await expect.poll(deliveries, SOON).toEqual(written.map(() => ["DELIVERED", 1]));
    written.push(await schedule());
    await expect.poll(doomed.isUp, { ...SOON, message: `the worker dies at ${point}` }).toBe(false);
  };

  await dieAt("addressed"); // The change is stored, its delivery is not.
  expect(inbox.visits).toBe(0);
  await dieAt("sent", 2); // The receiver has answered, but this is not recorded.
  await dieAt("taken"); // claimed, but not sent
  expect(inbox.visits).toBe(2);

  await runningWorker();
  await expect.poll(deliveries, SOON).toEqual(written.map(() => ["DELIVERED", 1]));
  expect(inbox.worked.map(({ event }) => event.data.id)).toEqual(expect.arrayContaining(written));
  expect([inbox.worked.length, inbox.visits, receivers.unverified()]).toEqual([3, 4, 0]);
});

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
    await runningWorker();
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

test("a web process and a worker log that their event loop was blocked, and their metrics show for how long", async () => {
  const watched = await runningWorker();
  const before = [product.output().length, watched.output().length];
  const pids = [product.webPid(), watched.pid];
  const pause = async () => {
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const since = performance.now();
    await expect.poll(() => performance.now() - since).toBeGreaterThan(200);
    for (const pid of pids) process.kill(pid, "SIGCONT");
  };

  const longest = { logged: [0, 0], exported: [0, 0] };
  const look = async () => {
    await pause(); // again and again: a worker watches its event loop only once everything else has started
    const outputs = [product.output(), watched.output()].map((output, at) => output.slice(before[at]));
    for (const [at, origin] of [product.url, metricsUrl].entries()) {
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

test("after a worker is killed during imports, the next one continues them and publishes the post that waits for one once", async () => {
  await worker?.stop();
  const { headers } = person;
  const read = async <T>(path: string) => jsonOf<T>(await send(product.url, path, { headers }));
  const post = async <T>(path: string, body: object) =>
    jsonOf<T>(await sendJson(product.url, "POST", path, body, headers));
  const { files, picture, size } = pictures;
  const imported = await post<{ id: number }>("/v1/media/upload/import", { url: `${files.url}/a.jpg` });
  const posts = [{ content: "Fetched from the web", attachmentPaths: [`${files.url}/b.jpg`] }];
  const publications = [{ socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts }];
  const waiting = await post<Waiting>("/v1/posts", { scheduledTime: new Date().toISOString(), publications });
  expect(waiting.overallStatus).toBe("AWAITING_MEDIA");

  const ids = [imported.id, waiting.pendingImports[0]?.importTaskId];
  const tasks = () => Promise.all(ids.map((id) => read<Import>(`/v1/media/upload/import/${id}`)));
  const doomed = await product.startWorker();
  const isInTheMiddle = async () => (await tasks()).every(({ bytesDownloaded }) => bytesDownloaded > 0);
  await expect.poll(isInTheMiddle, SOON).toBe(true);
  await doomed.kill();
  await product.startWorker();
  await expect.poll(async () => (await tasks()).map(({ state }) => state), SOON).toEqual(["READY", "READY"]);
  const status = async () => (await read<Waiting>(`/v1/posts/${waiting.id}`)).overallStatus;
  await expect.poll(status, SOON).toBe("COMPLETED");

  const { items } = await read<{ items: { path: string; url: string }[] }>("/v1/media");
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  for (const { s3Key } of await tasks()) {
    const stored = items.filter(({ path }) => path === s3Key);
    expect(stored).toEqual([expect.objectContaining({ sizeBytes: picture.length, ...size })]);
    const bytes = Buffer.from(await (await fetch(stored[0]?.url ?? "")).arrayBuffer());
    expect(digest(bytes)).toBe(digest(picture));
  }
  for (const path of ["/a.jpg", "/b.jpg"]) {
    const ranges = files.asked.filter((one) => one.path === path).map(({ headers: asked }) => asked.range ?? "all");
    expect(ranges).toEqual(["all", expect.stringMatching(/^bytes=\d+-$/)]);
  }
  const live = (await ledger(product)).filter(({ text }) => text === "Fetched from the web");
  expect(live).toEqual([expect.objectContaining({ media: [expect.anything()] })]);
});

type Waiting = { id: number; overallStatus: string; pendingImports: { importTaskId: number }[] };
type Import = { state: string; bytesDownloaded: number; s3Key: string };

/** Serves a picture under any path. A download of the whole file stops after its half; one of the rest is complete. */
async function servePictures(port: number) {
  const size = { width: 1200, height: 900 };
  const noise = { type: "gaussian", sigma: 30 } as const;
  const picture = await sharp({ create: { ...size, channels: 3, background: "#8040c0", noise } })
    .jpeg()
    .toBuffer();
  const files = await serveFiles((request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const rest = picture.subarray(from);
    const range = from > 0 ? { "content-range": `bytes ${from}-${picture.length - 1}/${picture.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { "content-length": rest.length, etag: '"one"', ...range });
    if (from > 0) response.end(rest);
    else response.write(rest.subarray(0, rest.length / 2));
  }, port);
  return { files, picture, size };
}
