import { expect, test } from "vitest";
import { eventLoopDelay, watchEventLoop } from "./event-loop";

/** Each poll blocks the loop for 200 ms, so that every complete window of a second contains a block. */
test("measures how long the event loop was blocked", async () => {
  const stop = watchEventLoop(1_000);
  const blocked = () => {
    for (const since = performance.now(); performance.now() - since < 200; ) Math.sqrt(2);
    return eventLoopDelay().maxMs;
  };
  await expect.poll(blocked).toBeGreaterThan(100);
  stop();
});
