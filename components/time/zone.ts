import { instantsAt, isTimeZone, zoneOf } from "@/lib/time/zone";
import { zoneWords } from "./format";

/** Of a zone's clock: what it is called, how far it is from UTC, and where it is put forward or back. */

/** The reader's own zone, as its browser names it. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `America/New York`: a zone's name as it reads. */
export const zoneName = (zone: string) => zone.replaceAll("_", " ");

/** `Central European Summer Time`, as it is called at that instant, so that daylight saving has its name. */
export function nameOf(instant: Date, zone = ownZone()): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "long" }).formatToParts(instant);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}

/** `America/New York (UTC−05:00)`, the offset as it is at that instant. */
export function zoneIn(zone: string, instant: Date): string {
  return zoneWords(zoneName(zone), zoneOf(zone).offsetAt(instant.getTime()) / 60_000);
}

const WEEK_MS = 7 * 86_400_000;

/** Whether two zones' clocks show the same for a year, week by week; what names no zone shows nothing. */
export function isSameClock(one: string, other: string, fromMs: number): boolean {
  if (one === other) return true;
  if (!isTimeZone(one) || !isTimeZone(other)) return false;
  const [a, b] = [zoneOf(one), zoneOf(other)];
  const weeks = Array.from({ length: 53 }, (_, week) => fromMs + week * WEEK_MS);
  return weeks.every((instant) => a.offsetAt(instant) === b.offsetAt(instant));
}

/** A time of the wall clock that does not exist on that day, or exists twice. */
export type ClockChange = "skipped" | "twice";

/** @param field a local time as a `datetime-local` field writes it */
export function clockChangeAt(field: string, zone = ownZone()): ClockChange | undefined {
  const wall = Date.parse(`${field}Z`);
  if (Number.isNaN(wall)) return undefined;
  const instants = instantsAt(zoneOf(zone), wall);
  if (instants.length === 0) return "skipped";
  return instants.length > 1 ? "twice" : undefined;
}
