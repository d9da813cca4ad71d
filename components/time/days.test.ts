import { expect, test } from "vitest";
import { atMinute, firstWeekday, monthOf, weekOf } from "./days";

test.each([
  ["de-DE", "Europe/Berlin", 1],
  ["en-US", "America/New_York", 7],
  ["en-US", "Europe/Copenhagen", 1],
  ["ar-EG", "Africa/Cairo", 6],
  ["en-US@posix", "America/New_York", 1],
  ["", "America/New_York", 1],
])("in %j in %s the week starts on day %i", (language, zone, first) => {
  expect(firstWeekday(language, zone)).toBe(first);
});

test("a time of day is read on the wall clock", () => {
  expect(atMinute("2026-11-22", 9 * 60 + 15)).toEqual(new Date(2026, 10, 22, 9, 15));
});

test("a week starts on that day, even in the previous month", () => {
  expect(weekOf("2026-11-22", 1)[0]).toBe("2026-11-16");
  expect(weekOf("2026-11-22", 7)[0]).toBe("2026-11-22");
  expect(weekOf("2026-11-01", 6)[0]).toBe("2026-10-31");
});

test("a month is shown as whole weeks", () => {
  const weeks = monthOf("2026-11-22", 1);
  expect([weeks[0]?.[0], weeks.at(-1)?.at(-1), weeks.length]).toEqual(["2026-10-26", "2026-12-06", 6]);
});
