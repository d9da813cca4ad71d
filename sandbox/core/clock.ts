import type { Collection } from "./journal";

export type Clock = {
  /** Milliseconds since 1970 by the sandbox's own clock. */
  now(): number;
  /** Moves the clock forward and wakes everything that was waiting for the skipped time. */
  advance(seconds: number): void;
  /** Resolves when the time has passed, whether it elapsed or the clock was advanced. */
  wait(seconds: number, signal?: AbortSignal): Promise<void>;
  close(): void;
};

type Waiter = { due: number; timer: NodeJS.Timeout; wake: () => void };

/** The system clock plus an offset that survives restarts. */
export function openClock(settings: Collection<number>): Clock {
  const waiters = new Set<Waiter>();
  const now = () => Date.now() + (settings.get("offset") ?? 0);

  return {
    now,
    advance(seconds) {
      settings.put("offset", (settings.get("offset") ?? 0) + seconds * 1000);
      for (const waiter of [...waiters]) if (waiter.due <= now()) waiter.wake();
    },
    wait(seconds, signal) {
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(waiter.timer);
          waiters.delete(waiter);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const waiter: Waiter = { due: now() + seconds * 1000, timer: setTimeout(wake, seconds * 1000), wake };
        waiters.add(waiter);
        signal?.addEventListener("abort", wake);
        if (signal?.aborted) wake();
      });
    },
    close() {
      for (const waiter of [...waiters]) waiter.wake();
    },
  };
}
