import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./lock.mjs";

/** Where Lighthouse is kept; `bench/pages/lighthouse.ts` looks here. */
const FOLDER = join(root, ".cache/lighthouse");
/** The newest that runs on Node 20. */
const PACKAGES = { lighthouse: "12.8.2" };
const PATIENCE_MS = 480_000;

/**
 * Installs Lighthouse (100 MB) for `npm run bench -- pages`, beside the project's packages: neither `npm ci` nor `npm test`
 * needs it. Without it the rest of the pages is measured all the same.
 */
export async function ensureLighthouse() {
  const done = join(FOLDER, "installed");
  if (existsSync(done)) return;
  console.error("Lighthouse: not here, trying npm install …");
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  if (await npmInstall()) await writeFile(done, "");
  else console.error("Lighthouse: it could not be installed: its figures are left out");
}

async function npmInstall() {
  const child = spawn("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: FOLDER,
    stdio: "ignore",
    timeout: PATIENCE_MS,
  });
  return new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
}
