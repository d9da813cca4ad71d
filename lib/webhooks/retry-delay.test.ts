import { describe, expect, test } from "vitest";
import { retryDelaySeconds } from "./record";

const real = { timeFactor: 1 };
const MINUTE = 60;
const HOUR = 3_600;

test("ten attempts over three days: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h", () => {
  const waits = Array.from({ length: 10 }, (_, index) => retryDelaySeconds(index + 1, real, 0.5));
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
  expect(waits).toEqual([5, 5 * MINUTE, 30 * MINUTE, ...hours, undefined]);
});

describe("jitter", () => {
  test.each([
    [0, 270],
    [1, 330],
  ])("of %d changes a wait of 300 s to %d s, by a tenth at most", (random, seconds) => {
    expect(retryDelaySeconds(2, real, random)).toBeCloseTo(seconds);
  });
});

test("TIME_FACTOR shortens the schedule, but not Retry-After", () => {
  expect(retryDelaySeconds(2, { timeFactor: 60 }, 0.5)).toBe(5);
  expect(retryDelaySeconds(2, { timeFactor: 60, askedSeconds: 120 }, 0.5)).toBe(120);
  expect(retryDelaySeconds(4, { timeFactor: 1, askedSeconds: 120 }, 0.5)).toBe(2 * HOUR);
});

test("Retry-After does not change the number of attempts", () => {
  expect(retryDelaySeconds(10, { timeFactor: 1, askedSeconds: 120 }, 0.5)).toBeUndefined();
});
