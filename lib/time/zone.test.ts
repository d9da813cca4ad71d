import { describe, expect, test } from "vitest";
import { firstInstantAt, isTimeZone, zoneOf } from "./zone";

describe("the first instant of a wall time", () => {
  test.each([
    ["an ordinary time in winter", "Europe/Berlin", "2027-01-15T09:30", "2027-01-15T08:30:00Z"],
    ["an ordinary time in summer", "Europe/Berlin", "2027-07-15T09:30", "2027-07-15T07:30:00Z"],
    ["the last minute before a skipped hour", "Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59:00Z"],
    ["the first minute of a skipped hour", "Europe/Berlin", "2027-03-28T02:00", "2027-03-28T01:00:00Z"],
    ["the middle of a skipped hour", "Europe/Berlin", "2027-03-28T02:30", "2027-03-28T01:00:00Z"],
    ["the first minute after a skipped hour", "Europe/Berlin", "2027-03-28T03:00", "2027-03-28T01:00:00Z"],
    ["a repeated time", "Europe/Berlin", "2027-10-31T02:30", "2027-10-31T00:30:00Z"],
    ["the first minute after a repeated hour", "Europe/Berlin", "2027-10-31T03:00", "2027-10-31T02:00:00Z"],
    ["a skipped time west of Greenwich", "America/New_York", "2027-03-14T02:15", "2027-03-14T07:00:00Z"],
    ["a repeated time west of Greenwich", "America/New_York", "2027-11-07T01:15", "2027-11-07T05:15:00Z"],
    ["a skipped half-hour", "Australia/Lord_Howe", "2027-10-03T02:20", "2027-10-02T15:30:00Z"],
    ["after a skipped half-hour", "Australia/Lord_Howe", "2027-10-03T02:30", "2027-10-02T15:30:00Z"],
    ["a repeated half-hour", "Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00Z"],
    ["a skipped midnight", "Africa/Cairo", "2027-04-30T00:10", "2027-04-29T22:00:00Z"],
    ["a skipped day", "Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00:00Z"],
    ["a zone without clock changes", "Asia/Kathmandu", "2027-03-28T02:30", "2027-03-27T20:45:00Z"],
    ["the zone furthest ahead of UTC", "Pacific/Kiritimati", "2027-01-01T00:00", "2026-12-31T10:00:00Z"],
  ])("%s", (_, zone, wall, instant) => {
    expect(new Date(firstInstantAt(zoneOf(zone), Date.parse(`${wall}Z`)))).toEqual(new Date(instant));
  });
});

test.each([
  ["Europe/Berlin", true],
  ["Asia/Kathmandu", true],
  ["America/Argentina/Buenos_Aires", true],
  ["UTC", true],
  ["Europe/Nowhere", false],
  ["+01:00", false],
  ["", false],
  [" Europe/Berlin", false],
])("%j is a time zone: %s", (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});
