import { readFileSync } from "node:fs";
import type { OwnProduct } from "../../setup/product";
import { type Answer, type Asked, send } from "../../trials/http";

/** RELIABILITY, t32: the longest time for which one request may block the event loop of the web process. */
export const LIMIT_MS = 100;
const TRIES = 4;
/** The kernel counts a thread's CPU time in hundredths of a second (USER_HZ). */
const MS_PER_TICK = 10;

export type Outcome = { answer: Answer; blockMs: number };

/**
 * Sends a request and returns its answer and how long it blocked the event loop, in milliseconds of CPU time of the thread
 * that runs the loop. Wall time would also count the time in which other programs of a busy machine had the processor.
 *
 * The CPU time of the whole request is an upper bound. Only if it is above the limit, the request is repeated while another
 * connection asks for something trivial again and again: the longest block is then the largest CPU time between two of its
 * answers. The smallest of several tries counts, because a try also counts other work of the process, such as the collection
 * of garbage, and answers that this process was late to notice.
 */
export async function blockOf(product: OwnProduct, target: string, asked: Asked): Promise<Outcome> {
  const pid = product.webPid();
  const before = threadMs(pid);
  const answer = await send(product.url, target, asked);
  let blockMs = threadMs(pid) - before;
  for (let tries = 0; tries < TRIES && blockMs > LIMIT_MS; tries++) {
    const beside = watch(product);
    await send(product.url, target, asked);
    blockMs = Math.min(blockMs, await beside.longestMs());
  }
  return { answer, blockMs };
}

function watch({ url, webPid }: OwnProduct) {
  const pid = webPid();
  let isOver = false;
  let longest = 0;
  let last = threadMs(pid);
  const watching = (async () => {
    while (!isOver) {
      await send(url, "*", { method: "OPTIONS" }); // answered at once, before any route is looked up
      const now = threadMs(pid);
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  return {
    async longestMs(): Promise<number> {
      isOver = true;
      await watching;
      return longest;
    },
  };
}

/** The CPU time of a process's main thread, in milliseconds. Systems without /proc give the wall time, which is longer. */
function threadMs(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  } catch {
    return performance.now();
  }
  // proc(5): the fields after the name of the program, which is in brackets and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
