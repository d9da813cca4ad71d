import { finished, type Readable } from "node:stream";

/** How slow a sender may be: the longest pause, and the average rate that is required after `graceMs`. */
export type SenderPace = { idleMs: number; graceMs: number; bytesPerSecond: number };

/** Slow enough for a phone with bad reception, but not for a client that only holds the connection. 100 MB take at most 27 minutes. */
export const SENDER_PACE: SenderPace = { idleMs: 30_000, graceMs: 30_000, bytesPerSecond: 65_536 };

/** The sender paused for too long or was too slow. */
export class SlowSender extends Error {
  constructor() {
    super("the sender is too slow");
  }
}

/**
 * Watches a counter of received bytes, and calls `tooSlow` once if the sender is slower than the pace allows.
 * @returns a function that ends the watch
 */
function watchPace(pace: SenderPace, received: () => number, tooSlow: () => void): () => void {
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

/** Processes a chunk. Returns undefined if the next chunk may follow at once. */
type Take = (bytes: Buffer) => Promise<void> | undefined;

/** The stream failed before its end, because the sender disconnected. */
export class StreamCut extends Error {
  constructor(cause: unknown) {
    super("the stream ended early", { cause });
  }
}

/**
 * Passes every chunk of a stream to `take`, in order, and pauses the stream while a chunk is processed. After an error the
 * stream stays paused: its owner destroys it or lets the sender finish.
 * @param pace how slow the sender may be; absent for streams of our own
 * @throws SlowSender; StreamCut; any error of `take`
 */
export function consume(bytes: Readable, take: Take, pace?: SenderPace): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0;
    let taking: Promise<void> | undefined;
    const unwatch =
      pace &&
      watchPace(
        pace,
        () => received,
        () => fail(new SlowSender()),
      );
    const unfollow = finished(bytes, { writable: false }, (error) => {
      if (error) return fail(new StreamCut(error));
      leave();
      (taking ?? Promise.resolve()).then(resolve, reject);
    });
    bytes.on("data", receive);

    function receive(piece: Buffer): void {
      received += piece.length;
      try {
        taking = take(piece);
      } catch (error) {
        fail(error);
        return;
      }
      if (!taking) return;
      bytes.pause();
      taking.then(() => bytes.resume(), fail);
    }
    function fail(error: unknown): void {
      leave();
      bytes.pause();
      reject(error);
    }
    function leave(): void {
      unwatch?.();
      unfollow();
      bytes.off("data", receive);
    }
  });
}
