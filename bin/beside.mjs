import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./lock.mjs";

/**
 * Installs packages in a folder of their own below `.cache`, once: large ones that one command alone needs, so that neither
 * `npm start` nor `npm ci` brings them.
 * @param {{ name: string, folder: string, packages: Record<string, string>, without: string, patienceMs: number,
 *   env?: Record<string, string> }} wanted `name`: for people; `packages`: names with versions; `without`: what is done where
 *   they could not be installed; `env`: settings of the installation
 */
export async function installBeside({ name, folder, packages, without, patienceMs, env }) {
  const place = join(root, ".cache", folder);
  const done = join(place, "installed");
  if (existsSync(done)) return;
  console.error(`${name}: not here yet, trying npm install …`);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const trouble = await npmInstall(place, patienceMs, env);
  if (trouble === undefined) await writeFile(done, "");
  else console.error(`${name}: could not be installed, ${without}: ${trouble}`);
}

/** @returns {Promise<string | undefined>} why it did not work */
async function npmInstall(cwd, timeout, env) {
  const child = spawn("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    timeout,
    env: { ...process.env, ...env },
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
