import { instantsAt, zoneOf } from "@/lib/zone";

/** Of a zone's clock: what it is called, how far it is from UTC, and where it is put forward or back. */

/** The reader's own zone, as its browser names it. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `Central European Summer Time`, as it is called at that instant, so that daylight saving has its name. */
export function nameOf(instant: Date, zone = ownZone()): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "long" }).formatToParts(instant);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
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
