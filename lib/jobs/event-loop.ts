import { monitorEventLoopDelay } from "node:perf_hooks";
import { perProcess } from "../db/per-process";
import { log } from "../log";

/** How often the loop is sampled. Shorter blocks are not seen. At 10 ms, measuring alone took 0.5 % of a core. */
const RESOLUTION_MS = 20;
const WINDOW_MS = 10_000;
/** RELIABILITY, t32: the longest time for which one request may block the event loop. */
const LONG_MS = 100;

/**
 * How long the event loop of this process was blocked in the last complete ten seconds, in milliseconds. `maxMs` is the longest
 * time from one sample to the next: at most 20 ms more than the longest block, and never less.
 */
export type EventLoopDelay = { meanMs: number; p99Ms: number; maxMs: number };

const latest = perProcess<{ delay: EventLoopDelay }>("eventLoopDelay", () => ({
  delay: { meanMs: 0, p99Ms: 0, maxMs: 0 },
}));

/** Returns the figures of the last complete window, for health checks and metrics. All are 0 in the first ten seconds. */
export function eventLoopDelay(): EventLoopDelay {
  return latest.delay;
}

/**
 * Measures the delay of the event loop and logs a warning for each ten seconds in which it was blocked for longer than
 * 100 ms. While it is blocked, the process answers no request and renews no claim.
 * @returns stops the measurement
 */
export function watchEventLoop(windowMs = WINDOW_MS): () => void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const timer = setInterval(() => {
    const { mean, max } = histogram;
    latest.delay = {
      meanMs: blockedMs(mean),
      p99Ms: blockedMs(histogram.percentile(99)),
      maxMs: isIdle(max) ? 0 : milliseconds(max),
    };
    histogram.reset();
    if (latest.delay.maxMs > LONG_MS) log.warn(latest.delay, "the event loop was blocked for long");
  }, windowMs).unref();
  return () => {
    clearInterval(timer);
    histogram.disable();
  };
}

/** The histogram measures from one sample to the next, so an idle loop has about its resolution. */
function blockedMs(nanoseconds: number): number {
  return Math.max(0, milliseconds(nanoseconds) - RESOLUTION_MS);
}

/** Timers of an idle loop are late by a few milliseconds. */
function isIdle(nanoseconds: number): boolean {
  return milliseconds(nanoseconds) < 1.5 * RESOLUTION_MS;
}

/** An empty histogram has no mean and no maximum. */
function milliseconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.round(nanoseconds / 1e6) : 0;
}
