/**
 * Wall clocks of time zones. A wall time is the number of milliseconds that UTC would count if its clock showed the same date
 * and time; an instant is milliseconds since 1970 as ever.
 */
export type Zone = {
  /** How far the wall clock is ahead of UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Whether a name is one of the IANA time zone database that this process knows, as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  // Newer engines take `+01:00` too, which says nothing of daylight saving.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** @throws RangeError where there is no such zone */
export function zoneOf(name: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  // Asked for the same instants again and again, and each answer takes microseconds.
  const known = new Map<number, number>();
  return {
    offsetAt(instant) {
      const offset = known.get(instant) ?? wallTime(format, instant) - Math.floor(instant / 1000) * 1000;
      known.set(instant, offset);
      return offset;
    },
  };
}

function wallTime(format: Intl.DateTimeFormat, instant: number): number {
  const shown = format.formatToParts(instant);
  const part = (type: string) => Number(shown.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/** The instants at which a zone's clock shows a wall time, ascending: one, none where it is put forward over it, two where it is put back. */
export function instantsAt({ offsetAt }: Zone, wall: number): number[] {
  return [...new Set(offsetsAround({ offsetAt }, wall))]
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(instant) === wall)
    .sort((one, other) => one - other);
}

/** Before and after the day of a wall time: wide enough for any zone, between 14 hours ahead and 12 behind. */
function offsetsAround({ offsetAt }: Zone, wall: number): [before: number, after: number] {
  const day = Math.floor(wall / DAY_MS) * DAY_MS;
  return [offsetAt(day - DAY_MS), offsetAt(day + 2 * DAY_MS)];
}

/**
 * The first instant at which a zone's clock shows a wall time, which is given in whole minutes. Where the clock is put forward
 * over that time it is the first instant after; where it is put back and the time comes twice, the first of the two.
 */
export function firstInstantAt(zone: Zone, wall: number): number {
  const [exact] = instantsAt(zone, wall);
  if (exact !== undefined) return exact;
  const shows = (instant: number) => instant + zone.offsetAt(instant);
  // Skipped: read by the clock before it is not there yet at `early`, read by the clock after it is over at `late`.
  const [before, after] = offsetsAround(zone, wall);
  let [early, late] = [wall - after, wall - before];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (shows(middle) >= wall) late = middle;
    else early = middle;
  }
  return late;
}
