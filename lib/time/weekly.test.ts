import { describe, expect, test } from "vitest";
import { weekly, weeklyWallAt } from "./weekly";
import { firstInstantAt, zoneOf } from "./zone";

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;
const FROM = Date.parse("2027-01-04T12:00:00Z");
const YEAR_MS = 53 * WEEK_MS;

/**
 * Minutes since Monday 00:00: ordinary times, the start and end of the week, and times on Sunday that a clock change skips or
 * repeats.
 */
const on = (day: number, hour: number, minute: number) => (day * 24 + hour) * 60 + minute;
const MINUTES = [
  on(0, 0, 0),
  on(0, 9, 30),
  on(2, 17, 0),
  on(6, 1, 15),
  on(6, 1, 45),
  on(6, 2, 10),
  on(6, 2, 50),
  on(6, 3, 30),
  on(6, 23, 59),
];

const instantsFrom = (zone: string, minutes: number[], after: number, until: number) => {
  const instants: number[] = [];
  for (const instant of weekly(zoneOf(zone), minutes, after)) {
    if (instant >= until) break;
    instants.push(instant);
  }
  return instants;
};

/** The number of the local week that a wall time is in. */
const weekOf = (wall: number) => Math.floor((wall - 4 * 86_400_000) / WEEK_MS);

describe.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])(
  "a year in %s",
  (name) => {
    const zone = zoneOf(name);
    const instants = instantsFrom(name, MINUTES, FROM, FROM + YEAR_MS);
    const walls = instants.map((instant) => instant + zone.offsetAt(instant));

    test("is ascending", () => {
      expect(instants.every((instant, index) => index === 0 || instant > (instants[index - 1] ?? 0))).toBe(true);
      expect(instants[0]).toBeGreaterThan(FROM);
    });

    test.each(MINUTES)("yields minute %i once in each local week, at its own time unless that is skipped", (minute) => {
      const alone = instantsFrom(name, [minute], FROM, FROM + YEAR_MS);
      const weeks = alone.map((instant) => weekOf(instant + zone.offsetAt(instant)));
      const [first = 0] = weeks;
      expect(weeks).toEqual(Array.from({ length: 53 }, (_, index) => first + index));
      for (const instant of alone) {
        const wall = instant + zone.offsetAt(instant);
        const asked = weekOf(wall) * WEEK_MS + 4 * 86_400_000 + minute * MINUTE_MS;
        if (wall === asked) continue;
        expect(wall).toBeGreaterThan(asked);
        expect(instant).toBe(firstInstantAt(zone, wall)); // here the clock jumps: a minute earlier it showed less than the requested time
        expect(instant - MINUTE_MS + zone.offsetAt(instant - MINUTE_MS)).toBeLessThan(asked);
      }
      expect(instants).toEqual(expect.arrayContaining(alone));
    });

    test("finds the weekly time of each instant, and none for the minute after it", () => {
      const minuteOf = (wall = Number.NaN) => (wall - 4 * 86_400_000 - weekOf(wall) * WEEK_MS) / MINUTE_MS;
      const found = instants.map((instant) => weeklyWallAt(zone, MINUTES, instant));
      expect(found.every((wall) => MINUTES.includes(minuteOf(wall)))).toBe(true);
      expect(found.map((wall = Number.NaN) => firstInstantAt(zone, wall))).toEqual(instants);
      const beside = instants.map((instant) => instant + MINUTE_MS).filter((instant) => !instants.includes(instant));
      expect(beside.filter((instant) => weeklyWallAt(zone, MINUTES, instant) !== undefined)).toEqual([]);
    });

    test("yields only the requested times, and one more where a time is skipped", () => {
      const late = walls.filter(
        (wall) => !MINUTES.includes((wall - 4 * 86_400_000 - weekOf(wall) * WEEK_MS) / MINUTE_MS),
      );
      expect(late.length).toBe({ "Europe/Berlin": 1, "America/New_York": 1, "Australia/Lord_Howe": 1 }[name] ?? 0);
    });
  },
);

test("times that a clock change maps to the same instant are yielded once", () => {
  const sunday = Date.parse("2027-03-28T00:30:00Z");
  const skipped = [on(6, 2, 10), on(6, 2, 50), on(6, 3, 0), on(6, 3, 15)];
  expect(
    instantsFrom("Europe/Berlin", skipped, sunday, sunday + 3_600_000).map((ms) => new Date(ms).toISOString()),
  ).toEqual(["2027-03-28T01:00:00.000Z", "2027-03-28T01:15:00.000Z"]);
});

test("starts after an instant, not at it, and yields a repeated time only once", () => {
  const first = Date.parse("2027-10-31T00:30:00Z"); // the first 02:30
  const next = [first + WEEK_MS + 3_600_000];
  expect(instantsFrom("Europe/Berlin", [on(6, 2, 30)], first - 1, first + 1)).toEqual([first]);
  expect(instantsFrom("Europe/Berlin", [on(6, 2, 30)], first, first + WEEK_MS + 7_200_000)).toEqual(next);
});

test("a skipped time is found as the time that was requested", () => {
  const put = Date.parse("2027-03-28T01:00:00Z"); // 03:00, after 01:59
  const wall = (time: string) => Date.parse(`2027-03-28T${time}Z`);
  expect(weeklyWallAt(zoneOf("Europe/Berlin"), [on(6, 2, 10)], put)).toBe(wall("02:10"));
  expect(weeklyWallAt(zoneOf("Europe/Berlin"), [on(6, 3, 0)], put)).toBe(wall("03:00"));
});

test("yields nothing without times", () => {
  expect([...weekly(zoneOf("Europe/Berlin"), [], FROM)]).toEqual([]);
});
