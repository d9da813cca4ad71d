import { firstInstantAt, type Zone } from "./zone";

/** The days of the week in ISO 8601 order. */
export const weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"] as const;

/** A weekly time by the wall clock. `time` is like `09:30`. */
export type Slot = { weekday: (typeof weekdays)[number]; time: string };

const HOUR = 60;
const DAY = 24 * HOUR;

/** Returns the minutes from Monday 00:00 to a slot. */
export function minuteOf({ weekday, time }: Slot): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return weekdays.indexOf(weekday) * DAY + hours * HOUR + minutes;
}

export function slotOf(minute: number): Slot {
  const two = (number: number) => String(number).padStart(2, "0");
  const [day, inDay] = [Math.floor(minute / DAY), minute % DAY];
  return {
    weekday: weekdays[day] ?? "SUNDAY",
    time: `${two(Math.floor(inDay / HOUR))}:${two(inDay % HOUR)}`,
  };
}

/** Returns the slots that occur more than once, as `MONDAY 09:30`. */
export function repeated(slots: Slot[]): string[] {
  const names = slots.map(({ weekday, time }) => `${weekday} ${time}`);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

/**
 * Yields the instants of weekly times after an instant: ascending, each once, without end. Times that a clock change maps to
 * the same instant are yielded once.
 * @param minutes minutes since Monday 00:00 by the zone's wall clock, ascending
 */
export function* weekly(zone: Zone, minutes: number[], after: number): Generator<number, void> {
  if (minutes.length === 0) return;
  let last = after;
  for (let monday = mondayOf(after + zone.offsetAt(after)); ; monday += WEEK_MS) {
    for (const minute of minutes) {
      const instant = firstInstantAt(zone, monday + minute * MINUTE_MS);
      if (instant <= last) continue;
      last = instant;
      yield instant;
    }
  }
}

/**
 * Returns the wall time of the weekly time that falls on an instant (in whole minutes), or undefined if there is none. It
 * differs from the time that the clock shows if a clock change skips it.
 */
export function weeklyWallAt(zone: Zone, minutes: readonly number[], instant: number): number | undefined {
  const shown = instant + zone.offsetAt(instant);
  const monday = mondayOf(shown);
  return minutes
    .map((minute) => monday + minute * MINUTE_MS)
    .find((wall) => Math.abs(wall - shown) < DAY_MS && firstInstantAt(zone, wall) === instant);
}

/** Returns the wall time at which the week of a wall time begins. */
function mondayOf(wall: number): number {
  return Math.floor((wall - FIRST_MONDAY) / WEEK_MS) * WEEK_MS + FIRST_MONDAY;
}
