import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "playwright/test";
import sharp from "sharp";
import { database } from "../chaos/database";
import { restored } from "../chaos/restored";
import { type OwnProduct, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

const OWNER = "owner@example.com";

let product: OwnProduct;
let authorization: string;
let picture: Buffer;

test.beforeAll(async () => {
  const small = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#8040c0" } })
    .jpeg()
    .toBuffer();
  picture = Buffer.concat([small, randomBytes(6 * 1_048_576)]); // Bytes after the end of the picture belong to the file.
  product = await startProduct();
  await product.carillon("users", "create", "--email", OWNER, "--password", "a long password");
  const made = await product.carillon("tokens", "create", "--user", OWNER);
  authorization = `Bearer ${(made as { access_token: string }).access_token}`;
});
test.afterAll(() => product?.stop());

type Sending = { method: string; url: string; headers: { [name: string]: string }; body: Buffer };
type Item = { path: string; url: string; sizeBytes: number };

/** Sends a share of a body and pauses. `status` is the status of the response, or 0 if the connection was cut. */
function send({ method, url, headers, body }: Sending, share = 1): { sent: Promise<void>; status: Promise<number> } {
  const going = request(url, { method, headers: { ...headers, "content-length": String(body.length) } });
  const status = new Promise<number>((resolve) => {
    going.on("error", () => resolve(0));
    going.on("response", (answer) => answer.resume().on("close", () => resolve(answer.statusCode ?? 0)));
  });
  const part = body.subarray(0, Math.floor(body.length * share));
  const sent = new Promise<void>((resolve) => going.write(part, () => resolve()));
  if (share === 1) going.end();
  return { sent, status };
}

/** Sends a request, again as long as it is told to try again later, as clients of the API do. */
async function sendUntilReady(sending: Sending): Promise<number> {
  let status = 503;
  await expect.poll(async () => (status = await send(sending).status)).not.toBe(503);
  return status;
}

function direct(key: string): Sending {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from("\r\n--b--\r\n")]);
  const headers = { authorization, "content-type": "multipart/form-data; boundary=b", "idempotency-key": key };
  return { method: "POST", url: `${product.url}/v1/media/upload`, headers, body };
}

async function api<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const headers = { authorization, "content-type": "application/json" };
  const answer = await fetch(product.url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as T };
}

async function library(): Promise<Item[]> {
  return (await api<{ items: Item[] }>("GET", "/v1/media")).body.items;
}

/** Checks that every media file is complete. */
async function expectWhole(): Promise<void> {
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  for (const { url } of await library()) {
    expect(digest(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(digest(picture));
  }
}

const objects = async (area: string) => readdir(join(product.dataDir, "objects", area)).catch(() => []);

type Grant = Sending & { key: string };

async function grantUpload(): Promise<Grant> {
  const asked = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: picture.length };
  return (await api<Grant>("POST", "/v1/media/upload/urls", asked)).body;
}

const confirm = (key: string) => api<{ path: string }>("POST", "/v1/media/upload/confirm", { key });

const isUp = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

test("after a kill, the next start has all stored data; uploads that it cut store nothing, and can be repeated", async () => {
  const account = ["--user", OWNER, "--platform", "X_TWITTER", "--person", "kept"];
  await product.carillon("accounts", "connect-sandbox", ...account);
  const upload = direct(randomUUID());
  const grant = await grantUpload();
  const put = { ...grant, body: picture };
  const cut = [send(upload, 0.5), send(put, 0.5)];
  await Promise.all(cut.map(({ sent }) => sent));
  await expect.poll(async () => (await objects("staged")).length).toBe(2);
  await product.kill();
  await expect.poll(() => isUp(product.sandboxUrl), { message: "the sandbox stops with its parent" }).toBe(false);
  await product.restart();
  expect((await api("GET", "/v1/accounts")).body).toEqual([expect.objectContaining({ accountUsername: "kept" })]);

  expect(await Promise.all(cut.map(({ status }) => status))).toEqual([0, 0]);
  expect(await library()).toEqual([]);
  expect(await objects("uploads")).toEqual([]);
  expect(await send(upload).status).toBe(200);
  expect(await send(upload).status).toBe(200); // The same key returns the first answer.
  expect(await library()).toHaveLength(1);
  expect((await confirm(grant.key)).status).toBe(404);
  expect(await send(put).status).toBe(200);
  expect(await confirm(grant.key)).toMatchObject({ status: 200, body: { path: grant.key } });
  expect(await library()).toHaveLength(2);
  await expectWhole();
});

test("uploads that were fully received before the kill are one file each after they are repeated", async () => {
  const before = (await library()).length;
  const grant = await grantUpload();
  expect(await send({ ...grant, body: picture }).status).toBe(200);
  const upload = direct(randomUUID());
  const { sent } = send(upload);
  const cut = confirm(grant.key).catch(() => undefined);
  await sent;
  await sleep(20); // between the last byte and the answer, and during the confirm or just after it
  await product.kill();
  await product.restart();
  await cut;
  expect(await sendUntilReady(upload)).toBe(200);
  expect(await confirm(grant.key)).toMatchObject({ status: 200, body: { path: grant.key } });
  expect(await library()).toHaveLength(before + 2);
  await expectWhole();
});

// The short forms of `npm run chaos` with one process that publishes. Of the accidents of T26 only the one in which everything is lost
// and comes from a backup is tried.
for (const [trial, only] of [[database], [restored, ["everything lost"]]] as const) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    const options = { size: "short", seed: 20_261_124, only: only && [...only], product } as const;
    expect((await runTrial(trial, options)).failures).toEqual([]);
  });
}
