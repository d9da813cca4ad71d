/**
 * The wall clock of a time zone. A wall time is the local date and time of a zone, as the number of milliseconds since 1970
 * that the same date and time has in UTC. An instant is a number of milliseconds since 1970.
 */
export type Zone = {
  /** Returns how far the wall clock is ahead of UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** True if a name is in the IANA time zone database of this process, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  // Newer engines also accept `+01:00`, which has no daylight saving time.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** @throws RangeError if the zone does not exist */
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
  // Callers ask for the same instants repeatedly, and each calculation takes microseconds.
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

/**
 * Returns the instants at which a zone's clock shows a wall time, ascending: usually one, none if a clock change skips it,
 * two if it repeats it.
 */
export function instantsAt({ offsetAt }: Zone, wall: number): number[] {
  return [...new Set(offsetsAround({ offsetAt }, wall))]
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(instant) === wall)
    .sort((one, other) => one - other);
}

/** The offsets before and after the day of a wall time. The range covers all zones, from UTC-12 to UTC+14. */
function offsetsAround({ offsetAt }: Zone, wall: number): [before: number, after: number] {
  const day = Math.floor(wall / DAY_MS) * DAY_MS;
  return [offsetAt(day - DAY_MS), offsetAt(day + 2 * DAY_MS)];
}

/**
 * Returns the first instant at which a zone's clock shows a wall time (in whole minutes). If a clock change skips the time, it is
 * the first instant after the change. If the time occurs twice, it is the first one.
 */
export function firstInstantAt(zone: Zone, wall: number): number {
  const [exact] = instantsAt(zone, wall);
  if (exact !== undefined) return exact;
  const shows = (instant: number) => instant + zone.offsetAt(instant);
  // The time is skipped. With the offset after the change it is at `early`, with the offset before the change at `late`.
  const [before, after] = offsetsAround(zone, wall);
  let [early, late] = [wall - after, wall - before];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (shows(middle) >= wall) late = middle;
    else early = middle;
  }
  return late;
}
