import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { together } from "./live";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("many changes in a second are read at once, then together after the pause", async () => {
  const reads: string[][] = [];
  const changes = together(async (keys) => reads.push(keys));
  changes.add(["schedules", "schedule"]);
  expect(reads).toEqual([["schedules", "schedule"]]);
  for (let count = 0; count < 50; count++) changes.add(["schedules"]);
  changes.add(["accounts"]);
  await vi.advanceTimersByTimeAsync(999);
  expect(reads).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads.slice(1)).toEqual([["schedules", "accounts"]]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toHaveLength(2);
  changes.add(["media"]);
  expect(reads.at(-1)).toEqual(["media"]);
});

test("a read that takes long is followed by a pause of four times as long, and a failed one by the usual pause", async () => {
  let reads = 0;
  const takes = [2_000, 0];
  const changes = together(async () => {
    await new Promise((done) => setTimeout(done, takes[reads++]));
    if (reads === 2) throw new Error("the network is away");
    return 1;
  });
  changes.add(["schedules"]);
  changes.add(["schedules"]);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(reads).toBe(2);
  changes.add(["schedules"]);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(reads).toBe(3);
  changes.add(["schedules"]);
  changes.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(3);
});

test("a list of 105 pages is read again after 21 seconds, so that it leaves half of the requests to what the person does", async () => {
  let reads = 0;
  const changes = together(async () => {
    reads++;
    return 105;
  });
  changes.add(["schedules"]);
  changes.add(["schedules"]);
  await vi.advanceTimersByTimeAsync(20_999);
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toBe(2);
  changes.stop();
});
