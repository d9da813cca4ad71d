import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, withLock } from "./lock.mjs";

const NEEDS = [20, 19];

/**
 * Installs the packages of package-lock.json when some are missing or of another version; says so in one line on
 * standard error and is otherwise quiet. Development packages are added when asked for, never removed.
 * @param {{ dev: boolean }} what
 */
export async function ensureInstalled({ dev }) {
  refuseOldNode();
  if ((await missing(dev)).length === 0) return;
  await withLock("install", async (lock) => {
    if ((await missing(dev)).length === 0) return; // another start has just done it
    const all = dev || (await hasDevelopmentPackages());
    console.error("Installing packages (once, about half a minute) …");
    await npm(["ci", all ? "--include=dev" : "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"], lock);
  });
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NEEDS[0] || (major === NEEDS[0] && minor >= NEEDS[1])) return;
  console.error(`Carillon needs Node ${NEEDS.join(".")} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Compares the lock file with the record that npm keeps of what it has installed. */
async function missing(dev) {
  const [wanted, installed] = await Promise.all([packagesOf("package-lock.json"), installedPackages()]);
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== "" && !entry.optional && !entry.devOptional && (dev || !entry.dev))
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path]) => path);
}

async function hasDevelopmentPackages() {
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
  // Its words go to standard error: standard output belongs to the command that is about to run.
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    stdio: ["ignore", 2, 2, lock],
    shell: process.platform === "win32" && !viaNode,
  });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code === 0) return;
  console.error("The packages could not be installed; npm's own words are above.");
  process.exit(1);
}
