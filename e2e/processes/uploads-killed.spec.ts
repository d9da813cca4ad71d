import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { type OwnProduct, startProduct } from "../setup/product";

let product: OwnProduct;
let authorization: string;
let picture: Buffer;

test.beforeAll(async () => {
  const small = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#8040c0" } })
    .jpeg()
    .toBuffer();
  picture = Buffer.concat([small, randomBytes(6 * 1_048_576)]); // Bytes after the end of the picture belong to the file.
  product = await startProduct({ env: { SANDBOX: "off" } });
  const email = "owner@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const made = await product.carillon("tokens", "create", "--user", email);
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

async function killAndRestart(): Promise<void> {
  await product.kill();
  await product.restart();
}

test("a direct upload cut by a kill stores nothing, and the same request then stores one file", async () => {
  const before = (await library()).length;
  const upload = direct(randomUUID());
  const { sent, status } = send(upload, 0.5);
  await sent;
  await expect.poll(() => objects("staged")).not.toEqual([]);
  await killAndRestart();
  expect(await status).toBe(0);
  expect(await library()).toHaveLength(before);
  expect(await send(upload).status).toBe(200);
  expect(await send(upload).status).toBe(200); // The same key returns the first answer.
  expect(await library()).toHaveLength(before + 1);
  await expectWhole();
});

test("a direct upload that was fully received before the kill is one file after its retry", async () => {
  for (const delayMs of [5, 60]) {
    const before = (await library()).length;
    const upload = direct(randomUUID());
    const { sent } = send(upload);
    await sent;
    await sleep(delayMs); // between the last byte and the answer
    await killAndRestart();
    expect(await send(upload).status).toBe(200);
    expect(await library()).toHaveLength(before + 1);
    await expectWhole();
  }
});

test("a pre-signed PUT cut by a kill leaves nothing to confirm, and a repeated PUT can be confirmed", async () => {
  const asked = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: picture.length };
  const { body: grant } = await api<Sending & { key: string }>("POST", "/v1/media/upload/urls", asked);
  const put = { ...grant, body: picture };
  const confirm = () => api<{ path: string }>("POST", "/v1/media/upload/confirm", { key: grant.key });
  const { sent, status } = send(put, 0.5);
  await sent;
  await killAndRestart();
  expect(await status).toBe(0);
  expect(await objects("uploads")).toEqual([]);
  expect((await confirm()).status).toBe(404);
  expect(await send(put).status).toBe(200);
  const cut = confirm().catch(() => undefined);
  await sleep(20); // during the confirm or just after it
  await killAndRestart();
  await cut;
  expect(await confirm()).toMatchObject({ status: 200, body: { path: grant.key } });
  expect((await library()).filter(({ path }) => path === grant.key)).toHaveLength(1);
  await expectWhole();
});
