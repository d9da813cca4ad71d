import { instantsAt, isTimeZone, zoneOf } from "@/lib/time/zone";
import { zoneWords } from "./format";

/** The wall clock of a time zone: its name, its offset from UTC, and its clock changes. */

/** The reader's time zone. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

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

const WEEK_MS = 7 * 86_400_000;

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
