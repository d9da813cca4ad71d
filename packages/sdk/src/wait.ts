import { CarillonError } from "./problems";

export type Waiting = {
  /** Ends the waiting; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
};

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** @throws the signal's reason, at once when it is aborted */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}

/** Returns the result of the work, which others may share, so it goes on. @throws the signal's reason, at once when it is aborted */
export async function untilAborted<T>(work: T | Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { signal: done.signal });
  });
  return Promise.race([aborted, work]).finally(() => done.abort());
}

/**
 * Reads something with growing pauses until it has ended, and returns it.
 * @param pauseOf how long to wait before the next reading, if it is known
 * @throws CarillonError with what `describe` says, if it has not ended after `timeoutMs`
 */
export async function until<T>(
  read: () => Promise<T>,
  hasEnded: (one: T) => boolean,
  describe: (one: T) => string,
  { signal, timeoutMs = 600_000 }: Waiting,
  pauseOf: (one: T) => number = () => 0,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(1.5 * wait, MAX_PAUSE_MS)) {
    const one = await read();
    if (hasEnded(one)) return one;
    const left = end - Date.now();
    if (left <= 0) throw new CarillonError(`${describe(one)} after ${timeoutMs} ms. Wait longer with timeoutMs`);
    await pause(Math.min(Math.max(wait, pauseOf(one)), left), signal);
  }
}
