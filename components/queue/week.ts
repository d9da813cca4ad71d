import { type Slot, weekdays } from "@/lib/time/weekly";
import type { Weekday } from "../api/slots";
import { hour, language } from "../time/format";
import { queueWords } from "./words";

export const workdays = weekdays.slice(0, 5);

const readyTimes = ["09:00", "17:00"];
/** The suggested slots: weekdays, in the morning and at the end of the day. */
export const readySet: Slot[] = workdays.flatMap((weekday) => readyTimes.map((time) => ({ weekday, time })));

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
  return new Intl.DateTimeFormat(language, { hour, minute: "2-digit", timeZone: "UTC" }).format(instant);
}

/** The times of the suggested slots: `09:00 and 17:00`. */
export const readySetTimes = () => new Intl.ListFormat("en").format(readyTimes.map(timeName));

const shortDays = (days: readonly Weekday[]) => days.map((day) => dayName(day).slice(0, 3)).join(", ");

function daysName(days: readonly Weekday[]): string {
  const isAll = (some: readonly Weekday[]) => days.length === some.length && some.every((day) => days.includes(day));
  if (isAll(weekdays)) return queueWords.daily;
  if (isAll(workdays)) return queueWords.weekdays;
  return shortDays(days);
}

/** Sums up a week in a few words: `Weekdays 09:00, 17:00`, `Tue, Thu 09:00` or `12 times a week`. */
export function weekSummary(slots: Slot[]): string {
  const days = weekdays.filter((day) => slots.some(({ weekday }) => weekday === day));
  const timesOf = (day: Weekday) => slots.filter(({ weekday }) => weekday === day).map(({ time }) => timeName(time));
  const times = days[0] ? timesOf(days[0]) : [];
  const isRegular = days.every((day) => timesOf(day).join() === times.join());
  return isRegular && times.length <= 3 ? `${daysName(days)} ${times.join(", ")}` : queueWords.timesAWeek(slots.length);
}
