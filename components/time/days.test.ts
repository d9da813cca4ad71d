import { expect, test } from "vitest";
import { firstWeekday, monthOf, weekOf } from "./days";

test.each([
  ["de-DE", 1],
  ["en-US", 7],
  ["ar-EG", 6],
  ["en-US@posix", 1],
  ["", 1],
])("in %j the week starts on day %i", (language, first) => {
  expect(firstWeekday(language)).toBe(first);
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
