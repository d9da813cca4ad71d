import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { normalizedText } from "../near-duplicates";
import { nearDuplicatesByDate } from "./near-dates";

const DAY_MS = 86_400_000;
const DATES = Array.from({ length: 100 }, (_, index) => {
  const instant = Date.parse("2031-05-01T12:00:00Z") + index * DAY_MS;
  return { date: new Date(instant).toISOString().slice(0, 10), instant };
});

/** The processor time of some work in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("a text of 1 MB is normalized once, not once for each pair of a hundred dates", async () => {
  const posts = Array.from({ length: 10 }, () => ({ content: "a b ".repeat(24_000), attachmentPaths: [] }));
  const publications = [{ socialMediaAccountId: 1, platformSettings: { type: "TWITTER" }, posts }];
  const once = await costOf(() => normalizedText(posts));
  let found = new Map<string, unknown[]>();
  const whole = await costOf(async () => {
    found = await nearDuplicatesByDate(randomUUID(), publications, DATES);
  });
  expect([...found.values()].map(({ length }) => length)).toEqual([1, ...Array(98).fill(2), 1]);
  expect(whole / once).toBeLessThan(30);
});
