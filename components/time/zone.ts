import { firstInstantAt, instantsAt, isTimeZone, zoneOf } from "@/lib/time/zone";
import { remembered, ZONE_COOKIE } from "../shell/preferences";

/**
 * The wall clock of a time zone: its name, its offset from UTC, and its clock changes. The reader's zone is the one chosen in the
 * settings, or else the device's. It is read once per document, so that all times on a page are in one zone; the settings load
 * the document again. Everything that reads or shows a local time does so with the functions here, because the local functions
 * of `Date` know only the device's zone.
 */

const DAY_MS = 86_400_000;

/** The device's time zone. */
export const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone chosen in this browser; undefined without a choice, if this browser does not know it, and on the server. */
export function chosenZone(): string | undefined {
  const zone = remembered(ZONE_COOKIE);
  return zone && isTimeZone(zone) ? zone : undefined;
}

const own = chosenZone() ?? deviceZone();
const ownClock = zoneOf(own);

/** The reader's time zone. */
export const ownZone = () => own;

/** Milliseconds by which the reader's clock is ahead of UTC. */
function ownOffsetAt(instant: number): number {
  // Two offsets per day are enough unless the clocks change on it. Lists show thousands of posts, and each look-up is slow.
  const day = Math.floor(instant / DAY_MS) * DAY_MS;
  const offset = ownClock.offsetAt(day);
  return offset === ownClock.offsetAt(day + DAY_MS) ? offset : ownClock.offsetAt(instant);
}

/** The reader's wall clock at an instant, as a date whose UTC fields show it. An invalid date stays invalid. */
export function wallOf(instant: Date): Date {
  const ms = instant.getTime();
  return new Date(Number.isNaN(ms) ? ms : ms + ownOffsetAt(ms));
}

/**
 * Returns the first instant at which the reader's clock shows a time; if a clock change skips it, the first instant after it.
 * @param wall the local time as `Date.UTC` returns it
 */
export function instantAt(wall: number): Date {
  return new Date(Number.isNaN(wall) ? wall : firstInstantAt(ownClock, wall));
}

/** A readable zone name: `America/New York`. */
export const zoneName = (zone: string) => zone.replaceAll("_", " ");

/** The zone's name at an instant, which includes daylight saving: `Central European Summer Time`. */
export function zoneNameAt(instant: Date, zone = ownZone()): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "long" }).formatToParts(instant);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}

/** Formats `America/New York (UTC−05:00)`, with the offset at that instant. */
export function zoneIn(zone: string, instant: Date): string {
  return zoneWords(zoneName(zone), zoneOf(zone).offsetAt(instant.getTime()) / 60_000);
}

/** The reader's zone: `Europe/Berlin (UTC+01:00)`, with the offset at that instant. */
export function zoneAt(instant: Date): string {
  return zoneWords(own, ownOffsetAt(instant.getTime()) / 60_000);
}

/** Formats `Europe/Berlin (UTC+01:00)`, or `UTC` alone. @param aheadMinutes minutes ahead of UTC */
function zoneWords(name: string, aheadMinutes: number): string {
  if (name === "UTC") return name;
  const [hours, rest] = [Math.floor(Math.abs(aheadMinutes) / 60), Math.abs(aheadMinutes) % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return `${name} (UTC${aheadMinutes < 0 ? "−" : "+"}${two(hours)}:${two(rest)})`;
}

const WEEK_MS = 7 * DAY_MS;

/** Whether two zones show the same time for a year, checked weekly; false for invalid zones. */
export function isSameClock(one: string, other: string, fromMs: number): boolean {
  if (one === other) return true;
  if (!isTimeZone(one) || !isTimeZone(other)) return false;
  const [a, b] = [zoneOf(one), zoneOf(other)];
  const weeks = Array.from({ length: 53 }, (_, week) => fromMs + week * WEEK_MS);
  return weeks.every((instant) => a.offsetAt(instant) === b.offsetAt(instant));
}

/** Whether a local time does not exist on a day, or exists twice. */
export type ClockChange = "skipped" | "twice";

/** @param field a local time, as in a `datetime-local` field */
export function clockChangeAt(field: string, zone = ownZone()): ClockChange | undefined {
  const wall = Date.parse(`${field}Z`);
  if (Number.isNaN(wall)) return undefined;
  const instants = instantsAt(zoneOf(zone), wall);
  if (instants.length === 0) return "skipped";
  return instants.length > 1 ? "twice" : undefined;
}
