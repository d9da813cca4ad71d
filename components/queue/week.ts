import { type Slot, weekdays } from "@/lib/time/weekly";
import type { Weekday } from "../api/slots";
import { language } from "../time/format";

export const workdays = weekdays.slice(0, 5);

/** The suggested slots: weekdays, in the morning and at the end of the day. */
export const readySet: Slot[] = workdays.flatMap((weekday) => ["09:00", "17:00"].map((time) => ({ weekday, time })));

/** Adds one time on several days, without duplicates, in week order. */
export function withTime(slots: Slot[], days: readonly Weekday[], time: string): Slot[] {
  const added = days.map((weekday) => ({ weekday, time })).filter((slot) => !slots.some((one) => isSame(one, slot)));
  return [...slots, ...added].sort((a, b) => order(a).localeCompare(order(b)));
}

export function withoutSlot(slots: Slot[], slot: Slot): Slot[] {
  return slots.filter((one) => !isSame(one, slot));
}

function isSame(a: Slot, b: Slot): boolean {
  return a.weekday === b.weekday && a.time === b.time;
}

const order = ({ weekday, time }: Slot) => `${weekdays.indexOf(weekday)} ${time}`;

/** A Monday, used to format names of days and times. */
const MONDAY = Date.UTC(2027, 0, 4);

/** `Monday` */
export function dayName(weekday: Weekday): string {
  const day = new Date(MONDAY + weekdays.indexOf(weekday) * 86_400_000);
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(day);
}

/** A time of day in the reader's format. */
export function timeName(time: string): string {
  const instant = new Date(`2027-01-04T${time}Z`);
  return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", timeZone: "UTC" }).format(instant);
}
