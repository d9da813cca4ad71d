import { readFile } from "node:fs/promises";

/** A process's resident memory in megabytes (Linux, proc(5)). */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The most that a process grows while something is done, in megabytes, read every 20 ms. */
export async function growthMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  const rest = await residentMb(pid);
  let most = rest;
  const timer = setInterval(async () => {
    most = Math.max(most, await residentMb(pid));
  }, 20);
  await work();
  clearInterval(timer);
  return most - rest;
}
