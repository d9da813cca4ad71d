import { describe, expect, test } from "vitest";
import { occurrences, type Recurrence, withOffset } from "./recurrence";
import { zoneOf } from "./zone";

/** The first occurrences in a zone's local time, with their notes. */
function first(count: number, zoneName: string, recurrence: Recurrence, after: string): string[] {
  const zone = zoneOf(zoneName);
  const found: string[] = [];
  for (const { date, instant, clock, isMonthEnd } of occurrences(zone, recurrence, Date.parse(after))) {
    found.push([date, withOffset(zone, instant).slice(11), clock, isMonthEnd && "month end"].filter(Boolean).join(" "));
    if (found.length === count) break;
  }
  return found;
}

const daily = (minute: number): Recurrence => ({ on: { every: "DAY" }, minute });
const monthly = (day: number): Recurrence => ({ on: { every: "MONTH", day }, minute: 540 });

describe("daily", () => {
  test("keeps the local time when daylight saving time starts and ends", () => {
    expect(first(3, "Europe/Berlin", daily(540), "2030-03-30T05:00:00Z")).toEqual([
      "2030-03-30 09:00:00+01:00",
      "2030-03-31 09:00:00+02:00",
      "2030-04-01 09:00:00+02:00",
    ]);
    expect(first(2, "America/New_York", daily(540), "2030-11-02T12:00:00Z")).toEqual([
      "2030-11-02 09:00:00-04:00",
      "2030-11-03 09:00:00-05:00",
    ]);
  });

  test("uses the first instant after a skipped time, and the first occurrence of a repeated time", () => {
    expect(first(2, "Europe/Berlin", daily(150), "2030-03-31T00:00:00Z")).toEqual([
      "2030-03-31 03:00:00+02:00 SKIPPED",
      "2030-04-01 02:30:00+02:00",
    ]);
    expect(first(2, "Europe/Berlin", daily(150), "2030-10-26T12:00:00Z")).toEqual([
      "2030-10-27 02:30:00+02:00 TWICE",
      "2030-10-28 02:30:00+01:00",
    ]);
    // Lord Howe Island changes its clocks by half an hour, so 02:15 is skipped but 02:30 is not.
    expect(first(2, "Australia/Lord_Howe", daily(135), "2030-10-05T12:00:00Z")).toEqual([
      "2030-10-06 02:30:00+11:00 SKIPPED",
      "2030-10-07 02:15:00+11:00",
    ]);
  });

  test("starts after the instant, on the same day if the time is still to come", () => {
    expect(first(1, "UTC", daily(540), "2030-01-01T08:59:59Z")).toEqual(["2030-01-01 09:00:00+00:00"]);
    expect(first(1, "UTC", daily(540), "2030-01-01T09:00:00Z")).toEqual(["2030-01-02 09:00:00+00:00"]);
    expect(first(1, "Pacific/Kiritimati", daily(60), "2030-01-01T11:30:00Z")).toEqual(["2030-01-03 01:00:00+14:00"]);
  });

  test("yields a day that a zone skipped once", () => {
    expect(first(3, "Pacific/Apia", daily(0), "2011-12-29T09:00:00Z")).toEqual([
      "2011-12-29 00:00:00-10:00",
      "2011-12-30 00:00:00+14:00 SKIPPED",
      "2012-01-01 00:00:00+14:00",
    ]);
  });
});

test("weekly on chosen days, Monday to Sunday", () => {
  const on = { every: "WEEK" as const, weekdays: [0, 6] };
  expect(first(4, "UTC", { on, minute: 0 }, "2030-01-01T00:00:00Z")).toEqual([
    "2030-01-06 00:00:00+00:00",
    "2030-01-07 00:00:00+00:00",
    "2030-01-13 00:00:00+00:00",
    "2030-01-14 00:00:00+00:00",
  ]);
});

describe("monthly", () => {
  test("on the 31st is on the last day of a shorter month, with a note", () => {
    expect(first(5, "UTC", monthly(31), "2027-12-31T10:00:00Z")).toEqual([
      "2028-01-31 09:00:00+00:00",
      "2028-02-29 09:00:00+00:00 month end",
      "2028-03-31 09:00:00+00:00",
      "2028-04-30 09:00:00+00:00 month end",
      "2028-05-31 09:00:00+00:00",
    ]);
    expect(first(2, "UTC", monthly(29), "2030-01-31T10:00:00Z")).toEqual([
      "2030-02-28 09:00:00+00:00 month end",
      "2030-03-29 09:00:00+00:00",
    ]);
  });

  test("continues into the next year, at the same local time in summer and winter", () => {
    expect(first(3, "Europe/Berlin", monthly(1), "2030-10-02T00:00:00Z")).toEqual([
      "2030-11-01 09:00:00+01:00",
      "2030-12-01 09:00:00+01:00",
      "2031-01-01 09:00:00+01:00",
    ]);
  });
});

test("an instant is formatted with its offset, including negative and half-hour offsets", () => {
  const at = Date.parse("2030-01-01T00:00:00Z");
  expect(withOffset(zoneOf("America/St_Johns"), at)).toBe("2029-12-31T20:30:00-03:30");
  expect(withOffset(zoneOf("Asia/Kathmandu"), at)).toBe("2030-01-01T05:45:00+05:45");
});
