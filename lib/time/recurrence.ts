import { firstInstantAt, instantsAt, type Zone } from "./zone";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Recurring days, at one time of day by the wall clock. */
export type Recurrence = {
  /** Weekdays are 0 (Monday) to 6 (Sunday). Days of the month start at 1. */
  on: { every: "DAY" } | { every: "WEEK"; weekdays: number[] } | { every: "MONTH"; day: number };
  /** Minutes since 00:00. */
  minute: number;
};

/** One time of a recurrence. */
export type Occurrence = {
  /** The local date, `2030-03-31`. */
  date: string;
  instant: number;
  /** Set if the clock change on that day skips the time or repeats it. */
  clock?: "SKIPPED" | "TWICE";
  /** Set if the month does not have the day, so its last day is used. */
  isMonthEnd?: true;
};

/**
 * Yields the times of a recurrence after an instant: ascending, each once, without end. If a clock change skips the time, it is
 * the first instant after the change. If the time occurs twice, it is the first one. In a month without the day, it is the
 * last day.
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

/** Yields the days as wall times at 00:00, starting at the day or month of a wall time. */
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

/** 0 is Monday. 1 January 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return (day / DAY_MS + 3) % 7;
}

/** Formats an instant as local time of a zone with its offset: `2030-03-31T03:00:00+02:00`. */
export function withOffset(zone: Zone, instant: number): string {
  const offset = Math.round(zone.offsetAt(instant) / MINUTE_MS);
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const shown = new Date(instant + offset * MINUTE_MS).toISOString().slice(0, 19);
  return `${shown}${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
