import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { test } from "./setup/test";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

let folder: string;
let app: ChildProcess | undefined;

test.beforeAll(installPackages);
test.afterAll(async () => {
  if (app?.exitCode === null) {
    app.kill();
    await once(app, "exit");
  }
  if (folder) await rm(folder, { recursive: true });
});

/** Installs the packages from their tarballs into an empty folder, as npm would from its registry. */
async function installPackages(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "carillon-partner-"));
  const names = ["@carillon/openapi", "@carillon/sdk", "@carillon/connect", "carillon-cli"];
  const packing = ["pack", "--json", "--pack-destination", folder, ...names.flatMap((name) => ["-w", name])];
  const packed: { filename: string }[] = JSON.parse((await run("npm", packing, { cwd: root })).stdout);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], { cwd: folder });
}

test("a partner's own program connects a customer and publishes with the packages from their tarballs", async ({
  page,
  product,
}) => {
  await copyFile(join(root, "e2e/partner/app.mjs"), join(folder, "app.mjs"));
  const guide = await readFile(join(root, "docs/connect-embedded.md"), "utf8");
  const list = /^```html\n(.*?)^```/ms.exec(guide)?.[1] ?? "";
  await writeFile(join(folder, "list.html"), list.replace("https://carillon.example.com", product.url));
  const made = await product.carillon("partners", "create", "--name", "Planner");
  const { clientId, clientSecret } = made as { clientId: string; clientSecret: string };
  app = spawn(process.execPath, ["app.mjs", product.url, clientId, clientSecret], { cwd: folder });
  const stdout = app.stdout as NodeJS.ReadableStream;
  const [address] = await once(stdout, "data");

  await page.goto(String(address).trim());
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

  const cli = "node_modules/carillon-cli/dist/cli.js";
  const [{ id }] = JSON.parse(await onNode18(cli, "accounts", "--json")) as [{ id: number }];
  const published = await onNode18(cli, "post", "From Node 18", "--account", String(id), "--wait");
  expect(published).toMatch(/^Post \d+ is published\./);
});
