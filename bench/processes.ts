import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { existingDir } from "../lib/db/embedded/location";

// What running processes use, read from /proc (Linux, proc(5)).

const SETTLED_MB = 1;
const SETTLED_MS = 3_000;
const TIMEOUT_MS = 40_000;

/** Resident memory of a process and its children in megabytes, without the database. */
async function residentMb(pid: number): Promise<number> {
  const own = await statusOf(pid);
  if (!isOurs(own)) return 0;
  const children = await Promise.all((await childrenOf(pid)).map(residentMb));
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(own)?.[1] ?? 0);
  return kilobytes / 1024 + children.reduce((sum, one) => sum + one, 0);
}

function isOurs(status: string): boolean {
  return /^Name:\s+(node|sh|MainThread)/.test(status);
}

async function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""));
  return (await Promise.all(lists)).flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Waits until the memory is stable. Returns it in megabytes. */
export async function restMb(pid: number): Promise<number> {
  const until = performance.now() + TIMEOUT_MS;
  let rest = await residentMb(pid);
  while (performance.now() < until) {
    await sleep(SETTLED_MS);
    const now = await residentMb(pid);
    if (Math.abs(now - rest) < SETTLED_MB) return now;
    rest = now;
  }
  return rest;
}

/** The maximum memory growth during the work in megabytes, sampled every 20 ms. */
export async function growthMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  const rest = await restMb(pid);
  let most = rest;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      most = Math.max(most, await residentMb(pid));
      await sleep(20);
    }
  })();
  await work();
  over.abort();
  await watching;
  return most - rest;
}

/** CPU seconds that one process has used so far, without its children. */
export async function cpuSeconds(pid: number): Promise<number> {
  const [user = 0, system = 0] = (await statOf(pid)).slice(CPU_TICKS);
  return (user + system) / TICKS_PER_SECOND;
}

/** CPU seconds that a process and its running children have used so far, without the database. */
export async function cpuSecondsOfAll(pid: number): Promise<number> {
  if (!isOurs(await statusOf(pid))) return 0;
  const each = await Promise.all([cpuSeconds(pid), ...(await childrenOf(pid)).map(cpuSecondsOfAll)]);
  return each.reduce((sum, one) => sum + one, 0);
}

/** The main process of the embedded PostgreSQL server with this `DATA_DIR`. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const [pid] = (await readFile(join((await existingDir(dataDir)) ?? "", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

/** CPU seconds of a PostgreSQL server: of its main process, of the children that ended and of those that run. */
export async function clusterSeconds(postmaster: number): Promise<number> {
  let ticks = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const fields = await statOf(pid);
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(CPU_TICKS);
    if (pid === postmaster) ticks += user + system + childrenUser + childrenSystem;
    else if (fields[1] === postmaster) ticks += user + system;
  }
  return ticks / TICKS_PER_SECOND;
}

/** Where the ticks of `statOf` begin: user and system time, then those of the children that ended. */
const CPU_TICKS = 11;
const TICKS_PER_SECOND = 100;

/** The numbers of /proc/PID/stat after the name: the second one is the parent. Empty if the process has ended. */
async function statOf(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
}
