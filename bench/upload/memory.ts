import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const SETTLED_MB = 1;
const SETTLED_MS = 3_000;
const TIMEOUT_MS = 40_000;

/** Resident memory of a process and its children in megabytes, without the database (Linux, proc(5)). */
export async function residentMb(pid: number): Promise<number> {
  const own = await statusOf(pid);
  if (!/^Name:\s+(node|sh|MainThread)/.test(own)) return 0;
  const children = await Promise.all((await childrenOf(pid)).map(residentMb));
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(own)?.[1] ?? 0);
  return kilobytes / 1024 + children.reduce((sum, one) => sum + one, 0);
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
async function restMb(pid: number): Promise<number> {
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

/** CPU seconds of a process and its children, without the database. */
export async function cpuSeconds(pid: number): Promise<number> {
  if (!/^Name:\s+(node|sh|MainThread)/.test(await statusOf(pid))) return 0;
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  const children = await Promise.all((await childrenOf(pid)).map(cpuSeconds));
  return (Number(fields[11]) + Number(fields[12])) / 100 + children.reduce((sum, one) => sum + one, 0);
}
