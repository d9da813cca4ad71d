import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, withLock } from "./lock.mjs";

const MIN_NODE = [20, 19];
/** This file is in node_modules if a build has removed what only developers need (ADR 64). `npm ci` removes it, `npm install` does not. */
export const SERVER_ONLY = ".server-only";

/**
 * Installs the packages of package-lock.json if some are missing or have another version, and says so in one line on standard
 * error. With `dev`, development packages are installed too; they are never removed.
 * @param {{ dev: boolean }} options
 */
export async function ensureInstalled({ dev }) {
  assertNodeVersion();
  if ((await missing(dev)).length === 0) return;
  await withLock("install", async (lock) => {
    if ((await missing(dev)).length === 0) return; // another process has installed them meanwhile
    const all = dev || (await hasDevelopmentPackages());
    console.error("Installing packages (once, about 30 seconds) …");
    const which = all ? ["--include=dev"] : ["--omit=dev", "--workspaces=false"];
    await npm(["ci", ...which, "--no-audit", "--no-fund", "--loglevel=error"], lock);
  });
}

function assertNodeVersion() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  console.error(`Carillon needs Node ${MIN_NODE.join(".")} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Compares package-lock.json with npm's record of the installed packages. */
async function missing(dev) {
  const [wanted, installed] = await Promise.all([packagesOf("package-lock.json"), installedPackages()]);
  const paths = dev ? Object.keys(wanted).filter((path) => path !== "") : [...pathsOfProduct(wanted)];
  const isServerOnly = dev && existsSync(join(root, "node_modules", SERVER_ONLY));
  return paths
    .filter((path) => !wanted[path].optional)
    .filter((path) => isServerOnly || !installed[path] || installed[path].version !== wanted[path].version);
}

/**
 * Returns the paths of the packages that the product needs to build and run: what its own dependencies lead to. The lockfile
 * does not mark what only a workspace in packages/ needs.
 * @param {Record<string, object>} packages the entries of package-lock.json by path; that of the product is ""
 */
export function pathsOfProduct(packages) {
  const found = new Set();
  const visit = (path) => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = placeOf(name, path, packages);
      if (place === undefined || found.has(place)) continue; // an optional package may be left out
      found.add(place);
      visit(place);
    }
  };
  visit("");
  return found;
}

/** Looks for a package as Node does: next to its user, then further up. */
function placeOf(name, user, packages) {
  for (let folder = user; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === "") return undefined;
  }
}

/** True if the packages for development and tests are installed too. */
export async function hasDevelopmentPackages() {
  return Object.values(await installedPackages()).some((entry) => entry.dev);
}

async function installedPackages() {
  return packagesOf("node_modules/.package-lock.json").catch(() => ({}));
}

async function packagesOf(file) {
  return JSON.parse(await readFile(join(root, file), "utf8")).packages;
}

async function npm(args, lock) {
  const script = process.env.npm_execpath;
  const viaNode = script?.endsWith(".js");
  const [program, first] = viaNode ? [process.execPath, [script]] : ["npm", []];
  // npm's output goes to standard error, because standard output belongs to the command that runs next.
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    stdio: ["ignore", 2, 2, lock],
    shell: process.platform === "win32" && !viaNode,
  });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code === 0) return;
  console.error("The packages could not be installed; see the output of npm above.");
  process.exit(1);
}
