import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import nextConfig from "../next.config.mjs";
import { hasDevelopmentPackages, SERVER_ONLY } from "./install.mjs";
import { root, withLock } from "./lock.mjs";

const ENTRIES = {
  server: "server.ts",
  worker: "worker.ts",
  cli: "cli.ts",
  env: "lib/env.ts",
  sandbox: "sandbox/main.ts",
  "digest-thread": "lib/storage/digest-thread.ts",
  "feed-thread": "lib/schedules/feeds/thread.ts",
  workshop: "lib/media/workshop/main.ts",
};
const BUNDLE_SOURCES = [
  ...Object.values(ENTRIES),
  "cli",
  "lib",
  "packages/mcp/src/tools.ts",
  "sandbox",
  "bin/build.mjs",
  "tsconfig.json",
  "next.config.mjs",
  "package-lock.json",
];
/**
 * Packages that are loaded from node_modules: those that Next does not bundle either, and large ones that many processes never
 * load. All others are part of the bundles, because finding and loading a thousand small files takes half of the time of a start.
 */
const PACKAGES = [...nextConfig.serverExternalPackages, "next", "@aws-sdk/*", "h264-mp4-encoder", "pg-copy-streams"];
/** Also in the bundles of processes without Next. The web process loads them once, for its bundle and for Next's. */
const BUNDLED_WITHOUT_NEXT = ["drizzle-orm", "undici"];
/** CommonJS packages in a bundle call `require` for Node's own modules. */
const REQUIRE = 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';
const NEXT_SOURCES = [
  "app",
  "components",
  "lib",
  "packages/mcp/src/tools.ts",
  "public",
  "next.config.mjs",
  "postcss.config.mjs",
  "package-lock.json",
];
const BUNDLE_STAMP = "dist/bundle.stamp";
const NEXT_STAMP = ".next/carillon.stamp";
const MAX_LOCK_WAIT_MS = 180_000;

/** Bundles the TypeScript sources into dist/, one file per entry point. Does nothing if dist/ is up to date. */
export async function bundle() {
  if (await isFresh(BUNDLE_STAMP, BUNDLE_SOURCES)) return;
  await withLock("bundle", async () => {
    const state = await contentHash(BUNDLE_SOURCES);
    if (await holds(BUNDLE_STAMP, state)) return;
    await writeBundle();
    await writeStamp(BUNDLE_STAMP, state);
  });
}

/** Runs `next build` if a source of the dashboard has changed since the last build. */
export async function buildNext() {
  if (await isFresh(NEXT_STAMP, NEXT_SOURCES)) return;
  await withLock("next", async (lock) => {
    const state = await contentHash(NEXT_SOURCES);
    if (await holds(NEXT_STAMP, state)) return;
    console.error("Building the dashboard (only after changes, about 30 seconds) …");
    await rm(join(root, NEXT_STAMP), { force: true });
    await runNextBuild(lock);
    await packStatic();
    // Next's cache makes the next build faster, but is twice as large as the build. Operators build once per release.
    if (!(await hasDevelopmentPackages())) {
      await rm(join(root, ".next/cache"), { recursive: true, force: true });
      await removeFilesForDevelopers(join(root, "node_modules"));
    }
    await writeStamp(NEXT_STAMP, state);
  });
}

/**
 * Removes the source maps and type declarations of packages: a quarter of their size, which only debuggers and editors read
 * (ADR 64). The declarations of @types stay, because Next does not build without them.
 * @param {string} packages the folder `node_modules`
 */
export async function removeFilesForDevelopers(packages) {
  const files = (await filesBelow(packages)).filter((path) => /\.(map|d\.[cm]?ts)$/.test(path));
  const types = join(packages, "@types/");
  await writeFile(join(packages, SERVER_ONLY), "");
  await Promise.all(files.filter((path) => !path.startsWith(types)).map((path) => rm(path)));
}

async function writeBundle() {
  const { build, stop } = await import("esbuild");
  const bundleOf = (entryPoints, external) =>
    build({
      absWorkingDir: root,
      entryPoints,
      outdir: "dist",
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      external,
      banner: { js: REQUIRE },
      // No chunks: a running process must still find its dynamic imports after the next build.
      splitting: false,
      sourcemap: true,
      write: false,
      logLevel: "error",
    });
  const { server, ...others } = ENTRIES;
  const results = await Promise.all([
    bundleOf({ server }, PACKAGES),
    bundleOf(
      others,
      PACKAGES.filter((name) => !BUNDLED_WITHOUT_NEXT.includes(name)),
    ),
  ]);
  await stop(); // ends esbuild's helper process, which would otherwise live as long as the service
  await mkdir(join(root, "dist"), { recursive: true });
  const files = results.flatMap(({ outputFiles }) => outputFiles);
  await Promise.all(files.map(({ path, contents }) => replaceFile(path, contents)));
}

async function runNextBuild(lock) {
  const since = Date.now();
  for (;;) {
    const { code, output } = await next(["build"], lock);
    if (code === 0) return;
    // A `next build` that was started by hand holds Next's own lock until it ends.
    const held = /Unable to acquire lock|Another next build process/i.test(output);
    if (!held || Date.now() - since > MAX_LOCK_WAIT_MS) {
      console.error(output);
      throw new Error("The dashboard could not be built; see the output of Next above");
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Compresses scripts and styles with Brotli at the highest level. `lib/http/packed-files.ts` serves them. */
async function packStatic() {
  const files = await filesBelow(join(root, ".next/static"));
  const pack = async (path) => replaceFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path)));
  await Promise.all(files.filter((path) => /\.(js|css)$/.test(path)).map(pack));
}

async function next(args, lock) {
  const child = spawn(process.execPath, [join(root, "node_modules/next/dist/bin/next"), ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe", lock],
  });
  let output = "";
  const keep = (data) => {
    output += data;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { code, output };
}

async function isFresh(stamp, sources) {
  return holds(stamp, await contentHash(sources));
}

async function holds(stamp, state) {
  return (await readFile(join(root, stamp), "utf8").catch(() => "")) === state;
}

async function writeStamp(stamp, state) {
  await replaceFile(join(root, stamp), state);
}

/**
 * Returns a hash of the path and content of every source file, without tests. It leaves out modification times: a copy of the
 * checkout, such as an image, has new ones, and a restored file has old ones. It reads 1,500 files in a tenth of a second.
 * @param {string[]} sources files and folders
 */
export async function contentHash(sources, folder = root) {
  const hash = createHash("sha256"); // without the Node version, because the bundles run on every supported version
  for (const source of sources) {
    for (const path of await filesBelow(join(folder, source))) {
      const content = readFileSync(path); // faster than reading them in parallel
      hash.update(`${relative(folder, path)} ${content.length}\n`).update(content);
    }
  }
  return hash.digest("hex");
}

async function filesBelow(path) {
  const found = await stat(path).catch(() => undefined);
  if (!found) return [];
  if (found.isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$|~$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function replaceFile(path, contents) {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}
