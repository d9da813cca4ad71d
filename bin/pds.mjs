import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./lock.mjs";

/** Where Bluesky's reference server is kept for the tests; `lib/networks/bluesky/testing/real-server.ts` looks here. */
const FOLDER = join(root, ".cache/pds");
/** The newest of each that runs on Node 20. */
const PACKAGES = { "@atproto/pds": "0.4.217", "@did-plc/server": "0.0.1" };
/** Long, because it compiles beside the other tests, which nobody waits for. */
const PATIENCE_MS = 1_200_000;

/**
 * Installs Bluesky's own server (250 MB, a native module) for the tests of its adapter, where that is possible. It stands
 * beside the project's packages, because neither `npm start` nor `npm ci` should need it. Without it those tests are
 * skipped by name.
 */
export async function ensurePds() {
  const done = join(FOLDER, "installed");
  if (existsSync(done)) return;
  console.log("Bluesky: no server found, trying npm install of @atproto/pds …");
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const trouble = await npmInstall();
  if (trouble === undefined) await writeFile(done, "");
  else console.log(`Bluesky: its server could not be installed, the tests against it are skipped: ${trouble}`);
}

/** @returns {Promise<string | undefined>} why it did not work */
async function npmInstall() {
  const child = spawn("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: FOLDER,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PATIENCE_MS,
  });
  let said = "";
  child.stderr.on("data", (data) => {
    said = (said + data).slice(-2000);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : said.trim() || `ended by ${signal ?? code}`));
  });
}
