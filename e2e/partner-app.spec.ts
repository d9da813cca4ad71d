import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { test } from "./setup/test";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

let folder: string;
let app: ChildProcess | undefined;

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
  const names = ["openapi", "sdk", "connect"];
  const packing = [
    "pack",
    "--json",
    "--pack-destination",
    folder,
    ...names.flatMap((name) => ["-w", `@carillon/${name}`]),
  ];
  const packed: { filename: string }[] = JSON.parse((await run("npm", packing, { cwd: root })).stdout);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], { cwd: folder });
}

test("a partner's own program connects a customer and publishes with the packages from their tarballs", async ({
  page,
  product,
}) => {
  await installPackages();
  await copyFile(join(root, "e2e/partner/app.mjs"), join(folder, "app.mjs"));
  const made = await product.carillon("partners", "create", "--name", "Planner");
  const { clientId, clientSecret } = made as { clientId: string; clientSecret: string };
  app = spawn(process.execPath, ["app.mjs", product.url, clientId, clientSecret], { cwd: folder });
  const stdout = app.stdout as NodeJS.ReadableStream;
  const [address] = await once(stdout, "data");

  await page.goto(String(address).trim());
  const list = page.frameLocator("carillon-connect iframe");
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    list.getByRole("button", { name: "X", exact: true }).click(),
  ]);
  const person = `p${Date.now().toString(36)}`;
  await popup.getByLabel("or another name").fill(person);
  await popup.getByRole("button", { name: "Allow" }).click();
  await expect(list.getByRole("status")).toHaveText(`@${person} on X is connected.`);

  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("status").last()).toHaveText("COMPLETED");
  const ledger = await (await fetch(`${product.sandboxUrl}/_control/posts?network=x`)).json();
  const own = ledger.filter((post: { account: string }) => post.account === person);
  expect(own.map((post: { text: string }) => post.text)).toEqual(["The bells are ready"]);
});
