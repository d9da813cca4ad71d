import { log } from "../log";

/** The shortest pause between two looks, so that a burst is claimed in batches. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 50;
const ERROR_PAUSE_MS = 1_000;

/** After a slow look, pauses for as long as the look took (up to a limit), so that other processes get the database. */
export const pauseAfter = (lookMs: number) => Math.min(MAX_PAUSE_MS, lookMs);

/** `soon` starts the next look at once, or right after the current one. `stop` waits for the current look. */
export type PollingLoop = { soon(): void; stop(): Promise<void> };

/**
 * Calls `look` repeatedly, one call at a time. Each call returns the milliseconds until the next one.
 * @param what completes the message "… failed"
 */
export function pollingLoop(what: string, look: () => Promise<number>): PollingLoop {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function once(): Promise<void> {
    const begun = performance.now();
    isWanted = false;
    const idleMs = await look().catch((error: unknown) => {
      log.warn({ error: String(error) }, `${what} failed`);
      return ERROR_PAUSE_MS;
    });
    current = undefined;
    after(isWanted ? Math.max(MIN_PAUSE_MS, pauseAfter(performance.now() - begun)) : idleMs);
  }

  function after(ms: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    const at = performance.now() + ms;
    // Timers count from the last turn of the event loop, so they may fire early. Looking early would find nothing.
    const due = () => {
      const left = at - performance.now();
      if (left > 0) timer = setTimeout(due, Math.ceil(left));
      else current = once();
    };
    timer = setTimeout(due, Math.ceil(ms));
  }

  return {
    soon() {
      if (current) isWanted = true;
      else if (!isWanted) {
        isWanted = true;
        after(0);
      }
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
