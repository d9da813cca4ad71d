import { expect, test } from "vitest";
import { eventLoopDelay, watchEventLoop } from "./event-loop";

/** Each poll blocks the loop for just over the limit of 100 ms, so that every complete window of a second contains such a block. */
test("never reports a block of the event loop as shorter than it was", async () => {
  const stop = watchEventLoop(1_000);
  const blocked = () => {
    for (const since = performance.now(); performance.now() - since < 105; ) Math.sqrt(2);
    return eventLoopDelay().maxMs;
  };
  await expect.poll(blocked).toBeGreaterThanOrEqual(105);
  stop();
});
