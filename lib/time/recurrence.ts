import { firstInstantAt, instantsAt, type Zone } from "./zone";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Days that come again and again, at one time of the wall clock. */
export type Recurrence = {
  /** Weekdays count from Monday, 0, to Sunday, 6; days of a month from 1. */
  on: { every: "DAY" } | { every: "WEEK"; weekdays: number[] } | { every: "MONTH"; day: number };
  /** Since 00:00. */
  minute: number;
};

/** One of its times. */
export type Occurrence = {
  /** The day as it was meant, `2030-03-31`. */
  date: string;
  instant: number;
  /** The clock never shows the time on that day, or shows it twice. */
  clock?: "SKIPPED" | "TWICE";
  /** The month has no such day: it is its last. */
  isMonthEnd?: true;
};

/**
 * The times of a recurrence after an instant, ascending, each once and without end. Where the clock is put forward over the
 * time it is the first instant after; where the time comes twice, the first of the two. A month without the day has it on its
 * last one.
 */
export function* occurrences(zone: Zone, { on, minute }: Recurrence, after: number): Generator<Occurrence, void> {
  let last = after;
  for (const { day, isMonthEnd } of daysOf(on, after + zone.offsetAt(after))) {
    const wall = day + minute * MINUTE_MS;
    const instant = firstInstantAt(zone, wall);
    if (instant <= last) continue;
    last = instant;
    const shown = instantsAt(zone, wall).length;
    const clock = shown === 0 ? "SKIPPED" : "TWICE";
    yield {
      date: new Date(day).toISOString().slice(0, 10),
      instant,
      ...(shown === 1 ? {} : { clock }),
      ...(isMonthEnd ? { isMonthEnd } : {}),
    };
  }
}

/** The days that are meant, as wall times at 00:00, from the day or the month of a wall time on. */
function* daysOf(on: Recurrence["on"], wall: number): Generator<{ day: number; isMonthEnd?: true }, void> {
  if (on.every === "MONTH") {
    const from = new Date(wall);
    for (let month = from.getUTCMonth(); ; month++) {
      const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
      const day = Date.UTC(from.getUTCFullYear(), month, Math.min(on.day, last));
      yield { day, ...(on.day > last ? { isMonthEnd: true } : {}) };
    }
  }
  for (let day = Math.floor(wall / DAY_MS) * DAY_MS; ; day += DAY_MS) {
    if (on.every === "DAY" || on.weekdays.includes(weekdayOf(day))) yield { day };
  }
}

/** From Monday, 0. 1 January 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return (day / DAY_MS + 3) % 7;
}

/** An instant as a zone's clock shows it, with how far that is from UTC: `2030-03-31T03:00:00+02:00`. */
export function withOffset(zone: Zone, instant: number): string {
  const offset = Math.round(zone.offsetAt(instant) / MINUTE_MS);
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const shown = new Date(instant + offset * MINUTE_MS).toISOString().slice(0, 19);
  return `${shown}${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
