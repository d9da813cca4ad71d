import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, withLock } from "./lock.mjs";

const MIN_NODE = [20, 19];

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
    await npm(["ci", all ? "--include=dev" : "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"], lock);
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
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== "" && !entry.optional && !entry.devOptional && (dev || !entry.dev))
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path]) => path);
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
