import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { freePort } from "../../lib/db/embedded/run";
import { serveFiles } from "../../lib/http/testing/file-server";
import { type OwnProduct, startProduct } from "../setup/product";
import type { Service } from "../setup/service";

const size = { width: 1200, height: 900 };

let product: OwnProduct;
let files: Awaited<ReturnType<typeof serveFiles>>;
let headers: { [name: string]: string };
let picture: Buffer;
/** Downloads that have received half of the file. */
const halves: ServerResponse[] = [];

test.beforeAll(async () => {
  picture = await sharp({
    create: { ...size, channels: 3, background: "#8040c0", noise: { type: "gaussian", sigma: 30 } },
  })
    .jpeg()
    .toBuffer();
  const port = await freePort();
  files = await serveFiles((request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const rest = picture.subarray(from);
    const range = from > 0 ? { "content-range": `bytes ${from}-${picture.length - 1}/${picture.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { "content-length": rest.length, etag: '"one"', ...range });
    if (from > 0) return response.end(rest);
    response.write(rest.subarray(0, rest.length / 2));
    halves.push(response);
  }, port);
  product = await startProduct({ env: { WORKER: "off", EGRESS_ALLOW: `127.0.0.1+127.0.0.1+${port}` } });
  const email = "owner@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const { access_token } = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
  headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
});

test.afterAll(async () => {
  await product?.stop();
  await files?.close();
});

let nextWorker: Service | undefined;
test.afterEach(() => nextWorker?.stop());

async function api(path: string, body?: unknown) {
  const call = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await fetch(product.url + path, { headers, ...call })).json();
}

/** Kills a worker when it has stored half of the file, and starts another one. */
async function killInTheMiddle(task: () => Promise<{ state: string; bytesDownloaded: number }>) {
  const doomed = await product.startWorker();
  await expect.poll(async () => (await task()).bytesDownloaded).toBeGreaterThan(0);
  await doomed.kill();
  nextWorker = await product.startWorker();
}

test("after a worker is killed during an import, the next one continues it and stores one file", async () => {
  const { id } = await api("/v1/media/upload/import", { url: `${files.url}/a.jpg` });
  const task = () => api(`/v1/media/upload/import/${id}`);
  await killInTheMiddle(task);
  await expect.poll(async () => (await task()).state).toBe("READY");

  const { items } = await api("/v1/media");
  const { s3Key } = await task();
  expect(items).toEqual([expect.objectContaining({ path: s3Key, sizeBytes: picture.length, ...size })]);
  const stored = Buffer.from(await (await fetch(items[0].url)).arrayBuffer());
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(stored)).toBe(digest(picture));
  expect(files.asked.map(({ headers: asked }) => asked.range ?? "all")).toEqual([
    "all",
    expect.stringMatching(/^bytes=\d+-$/),
  ]);
});

test("a schedule that waits for the file is published once although its worker was killed", async () => {
  const args = ["--user", "owner@example.com", "--platform", "X_TWITTER", "--person", "alice"];
  const { id: account } = (await product.carillon("accounts", "connect-sandbox", ...args)) as { id: number };
  const { id, overallStatus, pendingImports } = await api("/v1/posts", {
    scheduledTime: new Date().toISOString(),
    publications: [
      {
        socialMediaAccountId: account,
        platformSettings: { type: "TWITTER" },
        posts: [{ content: "Fetched from the web", attachmentPaths: [`${files.url}/b.jpg`] }],
      },
    ],
  });
  expect(overallStatus).toBe("AWAITING_MEDIA");
  await killInTheMiddle(() => api(`/v1/media/upload/import/${pendingImports[0].importTaskId}`));
  await expect.poll(async () => (await api(`/v1/posts/${id}`)).overallStatus).toBe("COMPLETED");
  const posts = await (await fetch(`${product.sandboxUrl}/_control/posts?network=x`)).json();
  expect(posts).toEqual([expect.objectContaining({ text: "Fetched from the web", media: [expect.anything()] })]);
});
