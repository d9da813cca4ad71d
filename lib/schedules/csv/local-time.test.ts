import { describe, expect, test } from "vitest";
import { parseDate, parseTimeOfDay, toInstant } from "./local-time";

test.each([
  ["2030-01-31", "2030-01-31"],
  ["2030/1/5", "2030-01-05"],
  ["5.1.2030", "2030-01-05"],
  ["01/02/2030", undefined],
  ["2030-02-30", undefined],
  ["tomorrow", undefined],
])("the date %s is %s", (text, date) => {
  expect(parseDate(text)).toBe(date);
});

test.each([
  ["9:00", "09:00:00"],
  ["21:30:15", "21:30:15"],
  ["9:05 pm", "21:05:00"],
  ["12:00 AM", "00:00:00"],
  ["12:00 p.m.", "12:00:00"],
  ["24:00", undefined],
  ["13:00 pm", undefined],
  ["9", undefined],
])("the time %s is %s", (text, time) => {
  expect(parseTimeOfDay(text)).toBe(time);
});

describe("the instant of a local time", () => {
  test.each([
    ["in winter", "Europe/Berlin", "2030-01-31T09:00:00", "2030-01-31T08:00:00.000Z"],
    ["in summer", "Europe/Berlin", "2030-07-31T09:00:00", "2030-07-31T07:00:00.000Z"],
    ["west of Greenwich, on the day before", "Pacific/Honolulu", "2030-01-31T23:00:00", "2030-02-01T09:00:00.000Z"],
    ["an odd offset", "Asia/Kathmandu", "2030-01-31T09:00:00", "2030-01-31T03:15:00.000Z"],
    ["the earlier of two, when the clocks go back", "Europe/Berlin", "2030-10-27T02:30:00", "2030-10-27T00:30:00.000Z"],
    ["just after they were put forward", "America/New_York", "2030-03-10T03:00:00", "2030-03-10T07:00:00.000Z"],
  ])("%s", (_, zone, local, instant) => {
    expect(toInstant(zone, local)?.toISOString()).toBe(instant);
  });

  test("does not exist when the clocks go forward over it", () => {
    expect(toInstant("America/New_York", "2030-03-10T02:30:00")).toBeUndefined();
  });
});
