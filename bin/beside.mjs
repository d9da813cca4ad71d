import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./lock.mjs";

/** An empty package, as the override of a dependency that is not needed. */
export const NOTHING = "npm:empty-npm-package@1.0.0";

/**
 * Installs packages once, in a separate folder below `.cache`. Used for large packages that only one command needs, so that
 * `npm start` and `npm ci` do not install them.
 * @param {{ name: string, folder: string, packages: Record<string, string>, without: string, patienceMs: number,
 *   overrides?: Record<string, string> }} wanted `name`: shown to the user; `packages`: names with versions; `without`: the
 *   consequence if the installation fails; `overrides`: packages to install instead of those that others depend on
 */
export async function installBeside({ name, folder, packages, without, patienceMs, overrides }) {
  const place = join(root, ".cache", folder);
  const done = join(place, "installed");
  if (existsSync(done)) return;
  console.error(`${name}: not installed, running npm install …`);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, dependencies: packages, overrides }));
  const problem = await npmInstall(place, patienceMs);
  if (problem === undefined) await writeFile(done, "");
  else console.error(`${name}: could not be installed, ${without}: ${problem}`);
}

/** @returns {Promise<string | undefined>} why the installation failed */
async function npmInstall(cwd, timeout) {
  // No package needs its scripts: compiled code comes in a separate package for each system.
  const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = spawn("npm", ["install", ...options], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    timeout,
  });
  let output = "";
  child.stderr.on("data", (data) => {
    output = (output + data).slice(-2000);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) =>
      resolve(code === 0 ? undefined : output.trim() || `ended by ${signal ?? code}`),
    );
  });
}

/**
 * The Node versions that tests run on, in addition to the one that runs `npm test`, each from the npm package with the program for
 * this system: the packages for developers on the oldest, the product on the newer ones.
 */
const VERSIONS = { 18: "18.20.8", 24: "24.21.0", 26: "26.10.0" };
const PACKAGE = `node-${process.platform}-${process.arch}`;

/**
 * Installs them below `.cache` for `e2e/processes/node-versions.spec.ts` and `e2e/partner-app.spec.ts`, which skip a version that
 * is missing.
 */
export function ensureNodeVersions() {
  const packages = Object.entries(VERSIONS).map(([major, version]) => [`node-${major}`, `npm:${PACKAGE}@${version}`]);
  return installBeside({
    name: "Node 18, 24 and 26",
    folder: "node-versions",
    packages: Object.fromEntries(packages),
    without: "the tests on these versions are skipped",
    patienceMs: 180_000,
  });
}
