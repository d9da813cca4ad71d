import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { chmod, mkdtemp, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import pg from "pg";
import type { ClusterRole } from "../cluster";

let compiled: string | undefined;

/** Compiles the program of the processes once. With tsx, each of them would load and compile it again. */
function holder(): string {
  if (compiled) return compiled;
  const folder = mkdtempSync(join(tmpdir(), "carillon-holder-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "hold.mjs");
  const entryPoints = [fileURLToPath(new URL("hold.ts", import.meta.url))];
  const require =
    'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';
  buildSync({
    ...{ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" },
    ...{ external: ["pg-native"], banner: { js: require } },
  });
  compiled = outfile;
  return outfile;
}

/** Starts a process that opens the cluster of a folder. `said` is the first line that it prints. */
export function startHolder(dataDir: string, purpose: ClusterRole) {
  const child = spawn(process.execPath, [holder(), dataDir, purpose], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const said = new Promise<{ url?: string; name?: string; message?: string }>((resolve) => {
    createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line)));
  });
  return {
    pid: child.pid ?? 0,
    said,
    async url(): Promise<string> {
      const { url, message } = await said;
      if (!url) throw new Error(message);
      return url;
    },
    async release(): Promise<void> {
      child.stdin.end();
      await exited;
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Creates a folder for a DATA_DIR. Its path contains a space. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "carillon cluster ")));
  await chmod(folder, 0o755); // if the tests run as root, PostgreSQL runs as another user, who needs access
  return folder;
}

/** Runs SQL on a new connection and returns the rows of the last statement. */
export async function queryRows(url: string, sql: string): Promise<{ [column: string]: unknown }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // The driver returns an array of results if the text has several statements.
    return [await client.query(sql)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

/** Returns the first column of the first row. */
export async function queryValue(url: string, sql: string): Promise<unknown> {
  return Object.values((await queryRows(url, sql))[0] ?? {})[0];
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
}
