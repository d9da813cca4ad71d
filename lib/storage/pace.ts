/** How slow a sender may be: silence at most so long and, once `graceMs` are over, so many bytes a second on average. */
export type Pace = { idleMs: number; graceMs: number; bytesPerSecond: number };

/** A phone on a bad line is welcome; someone who only holds a connection is not. 100 MB take at most 27 minutes. */
export const PACE: Pace = { idleMs: 30_000, graceMs: 30_000, bytesPerSecond: 65_536 };

/** The sender was silent for too long, or too slow. */
export class SlowSender extends Error {
  constructor() {
    super("the sender is too slow");
  }
}

/**
 * Watches a counter of received bytes and calls `tooSlow` once when the pace is not kept.
 * @returns what ends the watch
 */
export function watchPace(pace: Pace, received: () => number, tooSlow: () => void): () => void {
  const begun = Date.now();
  let seen = 0;
  let seenAt = begun;
  const timer = setInterval(check, Math.max(10, Math.min(pace.idleMs, pace.graceMs) / 10));
  timer.unref();

  function check(): void {
    const now = Date.now();
    const count = received();
    if (count > seen) seenAt = now;
    seen = count;
    const elapsed = now - begun;
    const crawling = elapsed > pace.graceMs && (count * 1000) / elapsed < pace.bytesPerSecond;
    if (now - seenAt <= pace.idleMs && !crawling) return;
    clearInterval(timer);
    tooSlow();
  }
  return () => clearInterval(timer);
}
