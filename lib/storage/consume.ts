import { finished, type Readable } from "node:stream";

/** How slow a sender may be: silence at most so long and, once `graceMs` are over, so many bytes a second on average. */
export type SenderPace = { idleMs: number; graceMs: number; bytesPerSecond: number };

/** A phone on a bad line is welcome; someone who only holds a connection is not. 100 MB take at most 27 minutes. */
export const SENDER_PACE: SenderPace = { idleMs: 30_000, graceMs: 30_000, bytesPerSecond: 65_536 };

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

/** Takes a piece; undefined: the next one may come at once. */
type Take = (bytes: Buffer) => Promise<void> | undefined;

/** A stream ended with an error before its end had come: its sender is gone. */
export class StreamCut extends Error {
  constructor(cause: unknown) {
    super("the stream was cut", { cause });
  }
}

/**
 * Hands every piece of a stream to `take`, in order, and holds the stream while one is being taken. When it fails the stream
 * is held: its owner destroys it, or lets the sender finish.
 * @param pace how slow the sender may be; absent where the sender is ourselves
 * @throws SlowSender; StreamCut; what `take` throws
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
