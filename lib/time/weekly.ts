import { firstInstantAt, type Zone } from "./zone";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

/**
 * The instants of weekly times, without end, ascending and each once: times that a change of clocks brings to the same instant
 * are one.
 * @param minutes since Monday 00:00 of the zone's wall clock, ascending
 * @param after the instant after which they begin
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
 * The wall time of the weekly time that falls on an instant, which is one of whole minutes; undefined where none does. It is
 * another one than the clock shows where the clock is put forward over it.
 */
export function weeklyWallAt(zone: Zone, minutes: readonly number[], instant: number): number | undefined {
  const shown = instant + zone.offsetAt(instant);
  const monday = mondayOf(shown);
  return minutes
    .map((minute) => monday + minute * MINUTE_MS)
    .find((wall) => Math.abs(wall - shown) < DAY_MS && firstInstantAt(zone, wall) === instant);
}

/** The wall time at which the week of a wall time begins. */
function mondayOf(wall: number): number {
  return Math.floor((wall - FIRST_MONDAY) / WEEK_MS) * WEEK_MS + FIRST_MONDAY;
}
