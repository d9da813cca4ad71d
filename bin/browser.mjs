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
 * Finds a Chromium for the browser tests, or installs one. Says which in one line. The package's comes first: it is the
 * same on every machine, and a headless shell, which takes a third less of the processor than a whole browser.
 * @returns {Promise<{ CHROME_PATH: string, LD_LIBRARY_PATH?: string } | undefined>} the settings that lead to it
 */
export async function findBrowser() {
  for (const [what, look] of [
    ["CHROME_PATH", async () => process.env.CHROME_PATH],
    ["from the package @sparticuz/chromium", unpacked],
    ["Playwright's own", playwrights],
    ["the system's", async () => USUAL.find((path) => existsSync(path))],
    ["installed by apt-get", installed],
  ]) {
    const path = await look().catch(() => undefined);
    const settings = path && (await working(path));
    if (!settings) continue;
    console.log(`Browser: ${path} (${what})`);
    return settings;
  }
  return undefined;
}

async function playwrights() {
  const { chromium } = await import("@playwright/test");
  return chromium.executablePath();
}

async function installed() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log("Browser: none found, trying apt-get install chromium …");
  const install = () => runs("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], 300_000);
  if (!(await install()) && (await runs("apt-get", ["update"], 60_000))) await install();
  return "/usr/bin/chromium";
}

async function unpacked() {
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

/** What a browser needs to start: nothing, or the libraries that the package brings for systems that lack them. */
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
