import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { root } from "../../e2e/setup/service";

const run = promisify(execFile);

/** The limits in KB of 1,024 bytes: of what npm downloads, and of each script that a page loads (compressed). */
const MAX_KB: { [name: string]: { packed?: number; script?: number } } = {
  "@carillon/sdk": { packed: 12 },
  "@carillon/connect": { script: 8 },
};

type Weight = { what: string; bytes: number; maxKb?: number };

/** Packs every package that is for npm, and returns its size and those of the scripts that have a limit of their own. */
export async function packages(): Promise<Weight[]> {
  const weights: Weight[] = [];
  for (const folder of (await readdir(join(root, "packages"))).sort()) {
    const cwd = join(root, "packages", folder);
    const { name, private: isPrivate } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8"));
    if (isPrivate) continue;
    // Packing builds, and npm's dry run reports the size without writing the file.
    const { stdout } = await run("npm", ["pack", "--json", "--dry-run"], { cwd });
    const [{ size, files }] = JSON.parse(stdout) as [{ size: number; files: { path: string }[] }];
    const limits = MAX_KB[name] ?? {};
    weights.push({ what: `${name}, packed`, bytes: size, maxKb: limits.packed });
    if (limits.script === undefined) continue;
    for (const { path } of files.filter(({ path }) => path.endsWith(".js")))
      weights.push({
        what: `${path} of ${name}`,
        bytes: gzipSync(await readFile(join(cwd, path))).length,
        maxKb: limits.script,
      });
  }
  return weights;
}

/** Both commands print it once they listen. */
const READY = "Stop them";
const BARE_SERVER = `require("node:http").createServer().listen(0, () => console.log("${READY}"))`;

/** Starts the command of the packed sandbox, and returns the milliseconds until it has printed its addresses. Pack it first. */
export function startSandbox(): Promise<number> {
  return startOf(join(root, "packages/sandbox/dist/cli.js"), "--port", "0");
}

/** Starts a server that does nothing, for comparison, and returns the milliseconds until it listens. */
export function startBareServer(): Promise<number> {
  return startOf("-e", BARE_SERVER);
}

async function startOf(...command: string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const part of child.stdout) {
    output += part;
    if (output.includes(READY)) break;
  }
  const milliseconds = performance.now() - start;
  if (!output.includes(READY)) throw new Error(`node ${command.join(" ")} ended before it was ready`);
  child.kill();
  await once(child, "exit");
  return milliseconds;
}
