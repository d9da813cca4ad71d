import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { instantInWords, instantProblem, isDatabaseInstant, parseInstant, withSixDigits, withZulu } from "./instant";

describe("scheduledTime is read as UTC unless it has an offset", () => {
  test.each([
    ["2026-11-21T18:11:51", "2026-11-21T18:11:51.000Z"],
    ["2026-11-21T18:11:51Z", "2026-11-21T18:11:51.000Z"],
    ["2026-11-21t18:11:51z", "2026-11-21T18:11:51.000Z"],
    ["2026-11-21T18:11", "2026-11-21T18:11:00.000Z"],
    ["2026-11-21T18:11:51.5", "2026-11-21T18:11:51.500Z"],
    ["2026-11-21T18:11:51,123456789Z", "2026-11-21T18:11:51.123Z"],
    ["2026-11-21T18:11:51-04:00", "2026-11-21T22:11:51.000Z"],
    ["2026-11-21T18:11:51+0530", "2026-11-21T12:41:51.000Z"],
    ["2026-11-21T18:11:51+02", "2026-11-21T16:11:51.000Z"],
    ["2026-11-21T18:11:51-00:00", "2026-11-21T18:11:51.000Z"],
    ["2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"],
    ["2028-02-29T00:00:00+14:00", "2028-02-28T10:00:00.000Z"],
    ["2026-03-29T02:30:00", "2026-03-29T02:30:00.000Z"], // skipped by the clock change in many zones
  ])("%s", (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  test("in any time zone of the server", () => {
    const script =
      'import { parseInstant } from "./lib/time/instant.ts"; console.log(parseInstant("2026-03-29T02:30:00").toISOString())';
    const read = (TZ: string) =>
      execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
        env: { PATH: process.env.PATH, TZ, NODE_ENV: "test" },
        encoding: "utf8",
      }).trim();
    expect(["Pacific/Kiritimati", "Europe/Berlin", "America/St_Johns"].map(read)).toEqual(
      Array(3).fill("2026-03-29T02:30:00.000Z"),
    );
  });
});

describe("rejects a date and time that does not exist or has another format", () => {
  test.each([
    "2026-02-30T12:00:00Z",
    "2026-02-29T12:00:00Z",
    "2026-04-31T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-00-10T12:00:00Z",
    "2026-11-00T12:00:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T12:60:00Z",
    "2026-11-21T12:00:60Z",
    "2026-11-21T12:00:00+19:00",
    "2026-11-21T12:00:00+02:60",
    "1969-12-31T23:59:59Z",
    "9999-01-01T00:00:00Z",
    "0070-01-01T00:00:00Z",
    "1970-01-01T00:00:00+18:00",
    "9998-12-31T23:59:59-18:00",
    "2026-11-21",
    "2026-11-21 12:00:00Z",
    "21.11.2026 12:00",
    "2026-11-21T12Z",
    "2026-11-21T12:00:00 Z",
    "2026-11-21T12:00:00Europe/Berlin",
    " 2026-11-21T12:00:00Z",
    "2026-11-21T12:00:00Z\n",
    "+002026-11-21T12:00:00Z",
    "٢٠٢٦-11-21T12:00:00Z",
    "tomorrow",
    "1763726400",
    "",
  ])("%j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

test.each([
  ["9999-01-01T00:00:00Z", "must be in the years 1970 to 9998"],
  ["+010000-01-01T00:00:00Z", "must be in the years 1970 to 9998"],
  ["-000001-01-01T00:00:00Z", "must be in the years 1970 to 9998"],
  ["1969-12-31T23:59:59Z", "must be in the years 1970 to 9998"],
  ["1970-01-01T00:00:00+18:00", "must be in the years 1970 to 9998"],
  ["9998-12-31T23:59:59-18:00", "must be in the years 1970 to 9998"],
  ["+002026-01-01T00:00:00Z", "is not a valid ISO 8601 date and time"],
  ["2026-02-30T12:00:00Z", "is not a valid ISO 8601 date and time"],
  ["9999", "is not a valid ISO 8601 date and time"],
])("%s %s", (text, problem) => {
  expect([parseInstant(text), instantProblem(text)]).toEqual([undefined, problem]);
});

test.each([
  ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
  ["1969-12-31T10:00:00-14:00", "1970-01-01T00:00:00.000Z"],
  ["9998-12-31T23:59:59.999Z", "9998-12-31T23:59:59.999Z"],
])("the first and the last instant count in UTC: %s", (text, instant) => {
  const at = parseInstant(text)?.toISOString() ?? "";
  expect([at, parseInstant(at)?.toISOString()]).toEqual([instant, instant]);
});

describe("the position in a list by time", () => {
  // The database accepts more years than the API, which takes 1970 to 9998.
  test.each([
    "1969-12-31 06:00:00+00",
    "9999-01-01 17:59:59.999999+00",
    "0001-01-01 00:00:00+00",
    "1970-01-01 00:00:00+00",
    "2028-02-29 23:59:59.5+00",
  ])("can be %s", (text) => {
    expect(isDatabaseInstant(text)).toBe(true);
  });

  test.each([
    "0000-01-01 00:00:00+00",
    "2026-02-29 00:00:00+00",
    "2026-13-01 00:00:00+00",
    "2026-01-01 24:00:00+00",
    "2026-01-01 23:60:00+00",
    "2026-01-01 23:59:60+00",
    "2026-01-01 00:00:00+01",
    "2026-01-01T00:00:00+00",
    "2026-01-01 00:00:00.1234567+00",
    "infinity",
  ])("cannot be %s", (text) => {
    expect(isDatabaseInstant(text)).toBe(false);
  });
});

describe("formats the database's text in the two formats of SPEC", () => {
  test.each([
    ["2026-11-21 18:11:51.1234+00", "2026-11-21T18:11:51.123400", "2026-11-21T18:11:51.123Z"],
    ["2026-11-21 18:11:51+00", "2026-11-21T18:11:51.000000", "2026-11-21T18:11:51Z"],
    ["2026-11-21 18:11:51.000001+00", "2026-11-21T18:11:51.000001", "2026-11-21T18:11:51Z"],
    ["2026-11-21 18:11:51.05+00", "2026-11-21T18:11:51.050000", "2026-11-21T18:11:51.050Z"],
    ["2026-11-21T18:11:51.999999Z", "2026-11-21T18:11:51.999999", "2026-11-21T18:11:51.999Z"],
  ])("%s", (database, six, zulu) => {
    expect([withSixDigits(database), withZulu(database)]).toEqual([six, zulu]);
  });

  test.each(["2026-11-21 18:11:51+02", "2026-11-21", "infinity"])(
    "throws for %s, which the database never returns",
    (text) => {
      expect(() => withSixDigits(text)).toThrow("not an instant in the database's format");
      expect(() => withZulu(text)).toThrow("not an instant in the database's format");
    },
  );
});

test("an instant in words", () => {
  expect(instantInWords(new Date("2026-11-24T03:05:09.123Z"))).toBe("24 November 2026 at 03:05 UTC");
});
