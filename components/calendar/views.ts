import { addDays, addMonths, type Day, monthOf, parseDay, startOf, weekOf } from "../time/days";
import { localFormat, toLocalField } from "../time/format";

/** The ways in which the calendar shows days. */
export const views = ["month", "week", "day", "list"] as const;
export type View = (typeof views)[number];

export type ScheduleFilters = { platform?: string; accountId?: string; status?: string };
/** The calendar's view, day and filters. They are in the URL. */
export type CalendarPlace = { view: View; day: Day; group?: string } & ScheduleFilters;
export type GoInCalendar = (to: Partial<CalendarPlace>) => void;

/** @param today the day to show if the URL names none */
export function placeIn(params: URLSearchParams, today: Day): CalendarPlace {
  const one = (name: string) => params.get(name) ?? undefined;
  return {
    view: views.find((view) => view === one("view")) ?? "month",
    day: parseDay(params.get("day")) ?? today,
    platform: one("platform"),
    group: one("group"),
    accountId: one("accountId"),
    status: one("status"),
  };
}

/** Returns the days that a view shows. */
export function daysIn(view: View, day: Day, firstWeekday: number): Day[] {
  if (view === "day") return [day];
  if (view === "week") return weekOf(day, firstWeekday);
  const weeks = monthOf(day, firstWeekday).flat();
  return view === "month" ? weeks : weeks.filter((other) => other.slice(0, 7) === day.slice(0, 7));
}

/** The day that the arrows lead to: one day, week or month away. */
export function step(view: View, day: Day, by: 1 | -1): Day {
  if (view === "day") return addDays(day, by);
  return view === "week" ? addDays(day, 7 * by) : addMonths(day, by);
}

/** Returns the first and last instant of the days. */
export function timeRangeOf(days: Day[]): { from: Date; to: Date } {
  const [first = "", last = first] = [days[0], days.at(-1)];
  return { from: startOf(first), to: new Date(startOf(addDays(last, 1)).getTime() - 1) };
}

const dayInYear = localFormat({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const monthAndYear = localFormat({ month: "long", year: "numeric" });
const dateInRange = localFormat({ day: "numeric", month: "short", year: "numeric" });

/** `November 2026`, `16–22 Nov 2026` or `Sun, 22 Nov 2026`, as the reader's language writes it. */
export function titleOf(view: View, day: Day, days: Day[]): string {
  if (view === "day") return dayInYear.format(startOf(day));
  if (view !== "week") return monthAndYear.format(startOf(day));
  const [first = day, last = day] = [days[0], days.at(-1)];
  return dateInRange.formatRange(startOf(first), startOf(last));
}

/** The address of the composer with a time filled in, in the format of a `datetime-local` field. */
export function composeAt(local: string): string {
  return `/compose?${new URLSearchParams({ at: local })}`;
}

const HOUR_MS = 3_600_000;

/** The address of the composer for a day: at nine, or at the next full hour of today. Undefined for a past day. */
export function composeOn(day: Day, today: Day, nowMs: number): string | undefined {
  if (day < today) return undefined;
  const soon = new Date(Math.ceil(nowMs / HOUR_MS) * HOUR_MS);
  return composeAt(day === today ? toLocalField(soon) : `${day}T09:00`);
}
