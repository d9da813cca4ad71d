import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Route } from "playwright/test";
import sharp from "sharp";
import type * as sdkPackage from "../packages/sdk/src";
import { test } from "./setup/test";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

let folder: string;
let app: ChildProcess | undefined;

test.beforeAll(installPackages);
test.afterEach(async () => {
  if (app?.exitCode !== null || app.killed) return;
  app.kill();
  await once(app, "exit");
});
test.afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

/** Installs the packages from their tarballs into an empty folder, as npm would from its registry. */
async function installPackages(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "carillon-partner-"));
  const names = ["@carillon/openapi", "@carillon/sdk", "@carillon/connect", "@carillon/cli"];
  const packing = ["pack", "--json", "--pack-destination", folder, ...names.flatMap((name) => ["-w", name])];
  const packed: { filename: string }[] = JSON.parse((await run("npm", packing, { cwd: root })).stdout);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], { cwd: folder });
}

test("a partner's own program connects a customer, publishes and verifies webhooks with the packages from their tarballs", async ({
  page,
  product,
  partnerPort,
}) => {
  await copyFile(join(root, "e2e/partner/app.mjs"), join(folder, "app.mjs"));
  const guide = await readFile(join(root, "docs/connect-embedded.md"), "utf8");
  const blocks = [...guide.matchAll(/^```(?:html|js)\n(.*?)^```/gms)].map(([, block = ""]) => block);
  for (const [index, name] of ["list.html", "webhooks.html", "link.js"].entries())
    await writeFile(join(folder, name), (blocks[index] ?? "").replace("https://carillon.example.com", product.url));
  const made = await product.carillon("partners", "create", "--name", "Planner");
  const { clientId, clientSecret } = made as { clientId: string; clientSecret: string };
  app = spawn(process.execPath, ["app.mjs", product.url, clientId, clientSecret, String(partnerPort)], { cwd: folder });
  const stdout = app.stdout as NodeJS.ReadableStream;
  const address = String((await once(stdout, "data"))[0]).trim();

  await page.goto(address);
  const frame = page.frameLocator("carillon-connect iframe");
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    frame.getByRole("button", { name: "X", exact: true }).click(),
  ]);
  const person = `p${Date.now().toString(36)}`;
  await popup.getByLabel("or another name").fill(person);
  await popup.getByRole("button", { name: "Allow" }).click();
  await expect(frame.getByRole("status")).toHaveText(`@${person} on X is connected.`);

  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("status").last()).toHaveText("COMPLETED");
  const ledger = await (await fetch(`${product.sandboxUrl}/_control/posts?network=x`)).json();
  const own = ledger.filter((post: { account: string }) => post.account === person);
  expect(own.map((post: { text: string }) => post.text)).toEqual(["The bells are ready"]);

  const threads = page.getByRole("button", { name: "Connect Threads" });
  const [window] = await Promise.all([page.waitForEvent("popup"), threads.click()]);
  await window.getByLabel("or another name").fill(person);
  await window.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("status").last()).toHaveText("X_TWITTER, THREADS");

  await page.goto(`${address}/webhooks`);
  const webhooks = page.frameLocator("carillon-webhooks iframe");
  await expect(webhooks.getByText("No webhooks yet.")).toBeVisible();

  const received = async () => (await (await fetch(`${address}/events`)).json()) as { type: string; data: object }[];
  const told = [
    { type: "account.connected", data: { platform: "X_TWITTER", accountUsername: person } },
    { type: "post.completed", data: { overallStatus: "COMPLETED" } },
    { type: "account.connected", data: { platform: "THREADS", accountUsername: person } },
  ];
  await expect.poll(received).toHaveLength(told.length);
  // Deliveries of different events may arrive in any order.
  for (const { type, data } of told)
    expect(await received()).toContainEqual(expect.objectContaining({ type, data: expect.objectContaining(data) }));
  const forged = { "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(Date.now() / 1_000)) };
  const answer = await fetch(`${address}/hook`, {
    method: "POST",
    headers: { ...forged, "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}` },
    body: JSON.stringify({ type: "post.completed", timestamp: new Date().toISOString(), data: { id: 1 } }),
  });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("The signature is wrong")]);
  expect(await received()).toHaveLength(told.length);
});

test("the SDK uploads a file in a browser in each of the three ways, and reports its progress", async ({
  page,
  product,
  partnerPort,
}) => {
  const picture = await sharp({
    create: { width: 1_500, height: 1_500, channels: 3, background: "#000", noise: { type: "gaussian", sigma: 90 } },
  })
    .jpeg()
    .toBuffer();
  const email = "browser@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const { access_token: token } = (await product.carillon("tokens", "create", "--user", email)) as {
    access_token: string;
  };
  const source = createServer((_, response) => response.setHeader("content-type", "image/jpeg").end(picture));
  await once(source.listen(partnerPort, "127.0.0.1"), "listening");
  // The API answers pages of its own origin only, so this page has Carillon's address.
  const body: { [name: string]: Parameters<Route["fulfill"]>[0] } = {
    page: { body: "<!doctype html><title>Own page</title>", contentType: "text/html" },
    "sdk.js": { path: join(folder, "node_modules/@carillon/sdk/dist/index.js"), contentType: "text/javascript" },
    "bells.jpg": { body: picture, contentType: "image/jpeg" },
  };
  await page.route("**/own/*", (route) => route.fulfill(body[route.request().url().split("/").at(-1) ?? ""]));
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(`${product.url}/own/page`);
  const devTools = await page.context().newCDPSession(page);
  // As many bytes each second as the file has, so that an upload takes a second and its progress can be seen.
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: picture.length };
  await devTools.send("Network.emulateNetworkConditions", slow);
  const uploads = await page.evaluate(
    async ({ sdk, baseUrl, token, url }) => {
      const { Carillon }: typeof sdkPackage = await import(sdk);
      const carillon = new Carillon({ baseUrl, token });
      const file = await (await fetch("/own/bells.jpg")).blob();
      async function watched(upload: (options: sdkPackage.UploadOptions) => Promise<string>) {
        const seen: number[] = [];
        let total: number | undefined;
        const path = await upload({
          filename: "bells.jpg",
          onProgress({ bytes, totalBytes }) {
            seen.push(bytes);
            total = totalBytes;
          },
        });
        return { path, seen, total };
      }
      return [
        await watched((options) => carillon.upload(file, options)),
        await watched((options) => carillon.uploadToStore(file, options)),
        await watched((options) => carillon.uploadFromUrl(url, options)),
      ];
    },
    { sdk: "/own/sdk.js", baseUrl: product.url, token, url: `http://127.0.0.1:${partnerPort}/bells.jpg` },
  );
  source.close();
  for (const { path, seen, total } of uploads) {
    expect(path).toMatch(/^[\w-]+\/[\w-]+\.jpg$/);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(total);
  }
  const [form, store, address] = uploads;
  for (const sent of [form, store]) expect(new Set(sent?.seen).size).toBeGreaterThan(3);
  expect(address?.total).toBe(picture.length);
  expect(complaints).toEqual([]);
});

test("the SDK's first example and the command line publish on Node 18, the oldest that they support", async ({
  product,
}) => {
  const node = join(root, ".cache/node-versions/node_modules/node-18/bin/node");
  test.skip(!existsSync(node), "Node 18 could not be installed");
  const email = "node-18@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const person = `n${Date.now().toString(36)}`;
  const connecting = ["--user", email, "--platform", "X_TWITTER", "--person", person];
  await product.carillon("accounts", "connect-sandbox", ...connecting);
  const { access_token: token } = (await product.carillon("tokens", "create", "--user", email)) as {
    access_token: string;
  };
  const settings = { CARILLON_URL: product.url, CARILLON_TOKEN: token, HOME: folder, NODE_ENV: "production" as const };
  const onNode18 = async (...args: string[]) => (await run(node, args, { cwd: folder, env: settings })).stdout;
  expect(await onNode18("--version")).toMatch(/^v18\./);

  const [, example = ""] = /```ts\n(.*?)```/s.exec(await readFile(join(root, "packages/sdk/README.md"), "utf8")) ?? [];
  const script = example.replace("http://localhost:3000", product.url);
  await writeFile(join(folder, "example.mjs"), `${script}\nconsole.log(overallStatus);`);
  expect(await onNode18("example.mjs")).toBe("COMPLETED\n");

  const cli = "node_modules/@carillon/cli/dist/cli.js";
  const [{ id }] = JSON.parse(await onNode18(cli, "accounts", "--json")) as [{ id: number }];
  const published = await onNode18(cli, "post", "From Node 18", "--account", String(id), "--wait");
  expect(published).toMatch(/^Post \d+ is published\./);
});
