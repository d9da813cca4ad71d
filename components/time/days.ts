import { instantAt, wallOf } from "./zone";

/** A calendar day in the reader's zone, as a local date such as `2026-11-22`, so that it survives clock changes. */
export type Day = string;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns the local day of an instant. */
export function dayOf(instant: Date): Day {
  return dateOf(wallOf(instant).getTime());
}

/** The date of a wall time. */
function dateOf(wall: number): Day {
  return Number.isNaN(wall) ? "" : new Date(wall).toISOString().slice(0, 10);
}

/** Parses a day from a URL; undefined if it is invalid. */
export function parseDay(text: string | null): Day | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return dateOf(midnightOf(text)) === text ? text : undefined;
}

/** Returns the first instant of a day; if midnight is skipped, the first that exists. */
export function startOf(day: Day): Date {
  return atMinute(day, 0);
}

/** Adds days. Clock changes do not matter, because local dates are counted. */
export function addDays(day: Day, days: number): Day {
  return dateOf(midnightOf(day) + days * DAY_MS);
}

/** Adds months; a missing date becomes the last day of the month. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = partsOf(day);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

/** Returns the week of a day. `firstWeekday`: 1 is Monday, 7 Sunday. */
export function weekOf(day: Day, firstWeekday: number): Day[] {
  const back = (new Date(midnightOf(day)).getUTCDay() - (firstWeekday % 7) + 7) % 7;
  const first = addDays(day, -back);
  return Array.from({ length: 7 }, (_, index) => addDays(first, index));
}

/** Returns the whole weeks of a day's month. */
export function monthOf(day: Day, firstWeekday: number): Day[][] {
  const first = `${day.slice(0, 7)}-01`;
  const weeks: Day[][] = [];
  for (let week = weekOf(first, firstWeekday); (week[0] ?? "") < addMonths(first, 1); week = nextWeek(week))
    weeks.push(week);
  return weeks;
}

function nextWeek(week: Day[]): Day[] {
  return week.map((day) => addDays(day, 7));
}

/**
 * Returns the first weekday of the reader's region: 1 is Monday, 7 Sunday. Monday if it is unknown, or if the time zone is in
 * another region: many people have a browser in American English and live elsewhere.
 * @param language the browser's language, which is not always a valid tag (`en-US@posix`)
 */
export function firstWeekday(language: string, zone: string): number {
  const locale = localeOf(language);
  const zones = locale?.getTimeZones?.() ?? locale?.timeZones;
  if (zones && !zones.includes(zone)) return 1;
  return (locale?.getWeekInfo?.() ?? locale?.weekInfo)?.firstDay ?? 1;
}

type Week = { firstDay: number };
type Locale = Intl.Locale & {
  getWeekInfo?(): Week;
  weekInfo?: Week;
  getTimeZones?(): string[] | undefined;
  timeZones?: string[];
};

function localeOf(language: string): Locale | undefined {
  try {
    return new Intl.Locale(language);
  } catch {
    return undefined;
  }
}

/** Moves an instant to another day and keeps its time of day. */
export function onDay(instant: Date, day: Day): Date {
  const moved = atMinute(day, minutesOf(instant));
  return new Date(moved.getTime() + (instant.getTime() % MINUTE_MS));
}

/** Returns the minutes since midnight on the wall clock. */
export function minutesOf(instant: Date): number {
  const wall = wallOf(instant);
  return wall.getUTCHours() * 60 + wall.getUTCMinutes();
}

/** Returns the instant so many minutes after midnight on the wall clock. */
export function atMinute(day: Day, minutes: number): Date {
  return instantAt(midnightOf(day) + minutes * MINUTE_MS);
}

/** The wall time of a day's midnight. */
function midnightOf(day: Day): number {
  const [year, month, date] = partsOf(day);
  return Date.UTC(year, month - 1, date);
}

function partsOf(day: Day): [number, number, number] {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return [year, month, date];
}
