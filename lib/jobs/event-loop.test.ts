import { expect, test, vi } from "vitest";
import { log } from "../log";
import { registry } from "../metrics";
import "../http/metrics";
import { eventLoopDelay, watchEventLoop } from "./event-loop";

/** Each poll blocks the loop for just over the limit of 100 ms, so that every complete window of a second contains such a block. */
test("never reports a block of the event loop as shorter than it was, logs it and exports it", async () => {
  const warned = vi.spyOn(log, "warn");
  const stop = watchEventLoop(1_000);
  const blocked = () => {
    for (const since = performance.now(); performance.now() - since < 105; ) Math.sqrt(2);
    return eventLoopDelay().maxMs;
  };
  await expect.poll(blocked).toBeGreaterThanOrEqual(105);
  stop();
  const { meanMs, p99Ms, maxMs } = eventLoopDelay();
  expect(warned).toHaveBeenCalledWith({ meanMs, p99Ms, maxMs }, "the event loop was blocked for long");
  warned.mockRestore();
  const exported = await registry.metrics();
  for (const [statistic, ms] of Object.entries({ mean: meanMs, p99: p99Ms, max: maxMs }))
    expect(exported).toContain(`carillon_event_loop_delay_seconds{statistic="${statistic}"} ${ms / 1000}\n`);
});
