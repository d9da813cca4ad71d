/** Calendar days in the reader's own zone. A day is its local date, `2026-11-22`, so that it survives daylight saving. */
export type Day = string;

const two = (number: number) => String(number).padStart(2, "0");

/** The local day on which an instant falls. */
export function dayOf(instant: Date): Day {
  return `${instant.getFullYear()}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`;
}

/** A day as it stands in an address, or undefined where it names none. */
export function parseDay(text: string | null): Day | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return dayOf(startOf(text)) === text ? text : undefined;
}

/** The instant at which a day begins; where midnight is skipped, the first that exists. */
export function startOf(day: Day): Date {
  return at(day, 0, 0);
}

/** The day so many days later; DST does not matter, because whole local dates are counted. */
export function addDays(day: Day, days: number): Day {
  const [year, month, date] = partsOf(day);
  return dayOf(new Date(year, month - 1, date + days, 12));
}

/** The same date so many months later, or that month's last day where it has no such date. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = partsOf(day);
  const lastDate = new Date(year, month + months, 0, 12).getDate();
  return dayOf(new Date(year, month - 1 + months, Math.min(date, lastDate), 12));
}

/** The seven days of the week that a day is in. `firstWeekday`: 1 is Monday, 7 Sunday. */
export function weekOf(day: Day, firstWeekday: number): Day[] {
  const back = (startOfNoon(day).getDay() - (firstWeekday % 7) + 7) % 7;
  const first = addDays(day, -back);
  return Array.from({ length: 7 }, (_, index) => addDays(first, index));
}

/** The whole weeks that show a day's month. */
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
 * The first day of the week where the reader lives: 1 is Monday, 7 Sunday; Monday where the browser cannot tell.
 * @param language as the browser names it, which is no language tag everywhere (`en-US@posix`)
 */
export function firstWeekday(language: string): number {
  const locale = localeOf(language);
  return (locale?.getWeekInfo?.() ?? locale?.weekInfo)?.firstDay ?? 1;
}

type Locale = Intl.Locale & { getWeekInfo?(): { firstDay: number }; weekInfo?: { firstDay: number } };

function localeOf(language: string): Locale | undefined {
  try {
    return new Intl.Locale(language);
  } catch {
    return undefined;
  }
}

/** The instant keeping its time of day on another day. */
export function onDay(instant: Date, day: Day): Date {
  const moved = at(day, instant.getHours(), instant.getMinutes());
  moved.setSeconds(instant.getSeconds(), instant.getMilliseconds());
  return moved;
}

/** The instant on another day in another hour, keeping its minutes. */
export function inHour(instant: Date, day: Day, hour: number): Date {
  return at(day, hour, instant.getMinutes());
}

function at(day: Day, hour: number, minute: number): Date {
  const [year, month, date] = partsOf(day);
  return new Date(year, month - 1, date, hour, minute);
}

function startOfNoon(day: Day): Date {
  return at(day, 12, 0);
}

function partsOf(day: Day): [number, number, number] {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return [year, month, date];
}
