import { finished, type Readable } from "node:stream";
import { type Pace, SlowSender, watchPace } from "./pace";

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
export function consume(bytes: Readable, take: Take, pace?: Pace): Promise<void> {
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
