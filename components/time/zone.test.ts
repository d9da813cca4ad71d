import { describe, expect, test } from "vitest";
import { clockChangeAt, isSameClock, zoneNameAt } from "./zone";

describe("the name of a zone", () => {
  test.each([
    ["2027-07-01T12:00:00Z", "Europe/Berlin", "Central European Summer Time"],
    ["2027-01-01T12:00:00Z", "Europe/Berlin", "Central European Standard Time"],
    ["2027-07-01T12:00:00Z", "UTC", "Coordinated Universal Time"],
  ])("%s in %s", (instant, zone, name) => {
    expect(zoneNameAt(new Date(instant), zone)).toBe(name);
  });
});

test.each([
  ["Europe/Berlin", "Europe/Berlin", true],
  ["Europe/Berlin", "Europe/Paris", true],
  ["UTC", "Europe/London", false], // equal until the end of March
  ["America/Phoenix", "America/Denver", false],
  ["Europe/Berlin", "somewhere", false],
])("%s shows what %s does: %s", (one, other, isSame) => {
  expect(isSameClock(one, other, Date.parse("2027-01-01T00:00:00Z"))).toBe(isSame);
});

describe("a local time", () => {
  test.each([
    ["an ordinary time", "2027-03-28T12:00", "Europe/Berlin", undefined],
    ["the last minute before the clocks go forward", "2027-03-28T01:59", "Europe/Berlin", undefined],
    ["a skipped time", "2027-03-28T02:30", "Europe/Berlin", "skipped"],
    ["a repeated time", "2027-10-31T02:30", "Europe/Berlin", "twice"],
    ["the first minute after the repeated hour", "2027-10-31T03:00", "Europe/Berlin", undefined],
    ["west of Greenwich", "2027-03-14T02:30", "America/New_York", "skipped"],
    ["a change of half an hour", "2027-04-04T01:45", "Australia/Lord_Howe", "twice"],
    ["a zone without clock changes", "2027-03-28T02:30", "Asia/Tokyo", undefined],
    ["half typed", "2027-03-", "Europe/Berlin", undefined],
  ])("%s", (_, field, zone, change) => {
    expect(clockChangeAt(field, zone)).toBe(change);
  });
});
