import { expect, test } from "vitest";
import type { Queue } from "../../accounts";
import { openings } from "./next-slots";

const AFTER = Date.parse("2027-03-17T10:15:00Z");
const DAY = 24 * 60;

/** Three zones whose clocks change on different days, with times at 9:10 on six days and at night on Sundays. */
const queues: Queue[] = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu"].map((timeZone, accountId) => {
  const shift = [0, 18 * 60, 4 * 60 + 45][accountId] ?? 0; // about the same instants, while the clocks agree
  const minutes = Array.from({ length: 6 }, (_, day) => (day * DAY + 9 * 60 + 10 + shift) % (7 * DAY));
  return { accountId, timeZone, minutes: [...minutes, 6 * DAY + 150].sort((a, b) => a - b) };
});
const any = [...openings(queues, "any", AFTER)];

test("one ascending list for a year, each time once with its accounts", () => {
  const instants = any.map(({ instant }) => instant);
  expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
  for (const { accountId } of queues) {
    const own = any.filter(({ accountIds }) => accountIds.includes(accountId));
    expect(own).toHaveLength(7 * 53);
    expect(own.map(({ instant }) => instant)).toEqual(
      [...openings(queues.slice(accountId, accountId + 1), "any", AFTER)].map(({ instant }) => instant),
    );
  }
});

test("with `all`, exactly the times that every queue has", () => {
  const pair = queues.slice(0, 2);
  const both = any.filter(({ accountIds }) => accountIds.includes(0) && accountIds.includes(1));
  expect(both.length).toBeGreaterThan(0);
  expect([...openings(pair, "all", AFTER)]).toEqual(both.map(({ instant }) => ({ instant, accountIds: [0, 1] })));
  expect([...openings(queues, "all", AFTER)]).toEqual(any.filter(({ accountIds }) => accountIds.length === 3));
});

test("a queue without times is ignored", () => {
  const empty = { accountId: 7, timeZone: null, minutes: [] };
  expect([...openings([empty], "all", AFTER)]).toEqual([]);
  expect([...openings([empty, ...queues], "all", AFTER)]).toEqual([...openings(queues, "all", AFTER)]);
});
