import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { stage } from "../storage";
import { withSettings } from "../testing/settings";
import { startStagedFileCleanUp } from "./clean-up";

const HOUR_MS = 3_600_000;
// A directory of its own, because everything in it is removed.
const dataDir = join(tmpdir(), `carillon-staged-${process.pid}`);
withSettings({ dataDir });
const staged = () => readdir(join(dataDir, "objects", "staged"));
afterEach(() => vi.useRealTimers());
afterAll(() => rm(dataDir, { recursive: true }));

test("a staged file that is unchanged for a day is removed at the start of a process and while it runs", async () => {
  await stage(Readable.from([Buffer.from("left by a process that was killed")]), 1_000);
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  vi.setSystemTime(Date.now() + 23 * HOUR_MS);
  const end = startStagedFileCleanUp();
  const younger = await stage(Readable.from([Buffer.from("another")]), 1_000);
  expect(await staged()).toHaveLength(2);
  vi.advanceTimersByTime(2 * HOUR_MS);
  await expect.poll(staged, { timeout: 45_000 }).toEqual([]);
  await stage(Readable.from([Buffer.from("a third")]), 1_000);
  vi.setSystemTime(Date.now() + 25 * HOUR_MS);
  end();
  vi.advanceTimersByTime(2 * HOUR_MS);
  expect([await staged(), younger.sizeBytes]).toEqual([[expect.any(String)], 7]);
  startStagedFileCleanUp()();
  await expect.poll(staged, { timeout: 45_000 }).toEqual([]);
});
