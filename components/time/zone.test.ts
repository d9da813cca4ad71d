import { describe, expect, onTestFinished, test, vi } from "vitest";
import { languageFor, utcToSecond } from "./format";
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

test.each([
  ["en-US,en;q=0.9,de;q=0.8", "en-US"],
  ["en", "en"],
  ["en-001", "en-001"],
  ["en-US@posix", "en-US"],
  ["en-US-u-hc-h23", "en-US"],
  ["en-!;q=1", "en"],
  ["de-DE,de;q=0.9,en;q=0.8", "en-GB"],
  ["", "en-GB"],
  [undefined, "en-GB"],
])("with %j, dates are written as in %s", (preferred, language) => {
  expect(languageFor(preferred)).toBe(language);
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

/** Loads the time functions in a browser whose time zone cookie has this value. */
async function inZone(zone: string) {
  vi.stubGlobal("document", { cookie: `carillon-week=7; carillon-zone=${zone}` });
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  return { ...(await import("./zone")), ...(await import("./days")), ...(await import("./format")) };
}

describe("in a chosen time zone", () => {
  test.each([
    ["Europe/Berlin", "2027-07-01T22:30:00Z", "2027-07-02", "2027-07-02T00:30"],
    ["America/New_York", "2027-01-01T03:00:00Z", "2026-12-31", "2026-12-31T22:00"],
    ["Asia/Kathmandu", "2027-01-01T18:15:00Z", "2027-01-02", "2027-01-02T00:00"],
    ["Pacific/Kiritimati", "2027-01-01T10:00:00Z", "2027-01-02", "2027-01-02T00:00"],
    ["Australia/Lord_Howe", "2027-04-03T15:15:00Z", "2027-04-04", "2027-04-04T01:45"],
    ["America/New_York", "2027-03-14T07:00:00Z", "2027-03-14", "2027-03-14T03:00"],
    ["America/New_York", "2027-03-14T06:59:00Z", "2027-03-14", "2027-03-14T01:59"],
  ])("%s shows %s on its own clock", async (zone, instant, day, field) => {
    const time = await inZone(zone);
    const at = new Date(instant);
    expect(time.ownZone()).toBe(zone);
    expect([time.dayOf(at), time.toLocalField(at)]).toEqual([day, field]);
    expect(time.timeOfDay(at)).toBe(field.slice(11));
    expect(time.dateAndTime(at)).toContain(field.slice(11));
  });

  test.each([
    ["Europe/Berlin", "2027-07-01T09:00", "2027-07-01T07:00:00.000Z"],
    ["America/New_York", "2027-07-01T09:00", "2027-07-01T13:00:00.000Z"],
    ["Asia/Kathmandu", "2027-07-01T09:00", "2027-07-01T03:15:00.000Z"],
    ["Europe/Berlin, skipped", "2027-03-28T02:30", "2027-03-28T01:00:00.000Z"],
    ["Europe/Berlin, twice", "2027-10-31T02:30", "2027-10-31T00:30:00.000Z"],
  ])("%s: %s is %s", async (name, field, instant) => {
    const [zone = ""] = name.split(",");
    const { fromLocalField } = await inZone(zone);
    expect(fromLocalField(field)?.toISOString()).toBe(instant);
  });

  test("an empty or impossible field has no time", async () => {
    const { fromLocalField } = await inZone("Europe/Berlin");
    expect([fromLocalField(""), fromLocalField("2027-13-01T09:00")]).toEqual([undefined, undefined]);
  });

  test("every hour of a year is read back as it was shown, unless it was the second of two", async () => {
    for (const zone of [
      "Europe/Berlin",
      "America/St_Johns",
      "Australia/Lord_Howe",
      "Africa/Casablanca",
      "Asia/Tokyo",
    ]) {
      const { clockChangeAt, fromLocalField, toLocalField } = await inZone(zone);
      const start = Date.parse("2026-01-01T00:15:00Z");
      for (let hour = 0; hour < 365 * 24; hour++) {
        const instant = new Date(start + hour * 3_600_000);
        const field = toLocalField(instant);
        const back = fromLocalField(field) ?? new Date(Number.NaN);
        expect(toLocalField(back)).toBe(field);
        if (back.getTime() !== instant.getTime()) expect(clockChangeAt(field)).toBe("twice");
      }
    }
  });

  test("a post keeps its time of day on another day, also when the clocks change in between", async () => {
    const { onDay } = await inZone("America/New_York");
    expect(onDay(new Date("2027-03-12T14:00:30.5Z"), "2027-03-15").toISOString()).toBe("2027-03-15T13:00:30.500Z");
  });

  test("a day begins at its first instant, also when midnight is skipped", async () => {
    const { startOf } = await inZone("America/Santiago");
    expect(startOf("2027-09-05").toISOString()).toBe("2027-09-05T04:00:00.000Z");
  });

  test("today, tomorrow and the offset are of the zone", async () => {
    const { dayAndTime, zoneAt } = await inZone("Asia/Tokyo");
    const now = Date.parse("2027-01-01T14:00:00Z"); // 23:00
    expect(dayAndTime(new Date("2027-01-01T14:30:00Z"), now)).toBe("Today 23:30");
    expect(dayAndTime(new Date("2027-01-01T15:30:00Z"), now)).toBe("Tomorrow 00:30");
    expect(dayAndTime(new Date("2027-01-01T01:00:00Z"), now)).toBe("Today 10:00");
    expect(dayAndTime(new Date("2026-12-31T14:30:00Z"), now)).toContain("23:30");
    expect(dayAndTime(new Date("2026-12-31T14:30:00Z"), now)).not.toContain("Today");
    expect(zoneAt(new Date(now))).toBe("Asia/Tokyo (UTC+09:00)");
  });

  test("UTC has no offset after its name", async () => {
    const { zoneAt } = await inZone("UTC");
    expect(zoneAt(new Date("2027-01-01T14:00:00Z"))).toBe("UTC");
  });

  test.each([
    ["Europe/Berlin", "2026-11-30T09:00:00Z", "2026-12-02T08:00:00Z", "in 2 days"], // 47 hours later
    ["Europe/Berlin", "2026-11-30T22:30:00Z", "2026-12-02T00:00:00Z", "in 2 days"], // 25.5 hours later
    ["Europe/Berlin", "2026-11-30T09:00:00Z", "2026-12-01T22:59:00Z", "tomorrow"],
    ["Europe/Berlin", "2026-11-30T09:00:00Z", "2026-12-01T08:59:00Z", "in 23 hours"],
    ["Europe/Berlin", "2026-11-30T09:00:00Z", "2026-11-28T10:00:00Z", "2 days ago"], // 47 hours before
    ["Europe/Berlin", "2026-11-30T09:00:00Z", "2026-11-29T09:00:00Z", "yesterday"],
    ["America/New_York", "2026-11-30T23:00:00Z", "2026-12-02T04:30:00Z", "tomorrow"], // Wednesday in UTC
  ])("in %s at %s, %s is %s", async (zone, now, instant, words) => {
    const { fromNow } = await inZone(zone);
    expect(fromNow(new Date(instant), Date.parse(now))).toBe(words);
  });

  test.each(["", "Nowhere/City", "+01:00"])(
    "a zone %j that the browser does not know is the device's",
    async (zone) => {
      const time = await inZone(zone);
      expect([time.chosenZone(), time.ownZone()]).toEqual([undefined, time.deviceZone()]);
    },
  );
});

test.each(["2026-11-28T21:03:35", "2026-11-28T21:03:35.482Z", "2026-11-28 21:03:35.482913+00"])(
  "a time of the API or the database is read in UTC wherever the reader is: %s",
  (time) => {
    vi.stubEnv("TZ", "Europe/Berlin");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(utcToSecond(time)).toBe("28 Nov 2026, 21:03:35 UTC");
  },
);
