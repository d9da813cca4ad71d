/** The days of a week, in ISO 8601's order. */
export const weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"] as const;

/** A weekly time of the wall clock, `09:30`. */
export type Slot = { weekday: (typeof weekdays)[number]; time: string };

const HOUR = 60;
const DAY = 24 * HOUR;

/** Minutes since Monday 00:00. */
export function minuteOf({ weekday, time }: Slot): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return weekdays.indexOf(weekday) * DAY + hours * HOUR + minutes;
}

export function slotOf(minute: number): Slot {
  const two = (number: number) => String(number).padStart(2, "0");
  const [day, inDay] = [Math.floor(minute / DAY), minute % DAY];
  return {
    weekday: weekdays[day] ?? "SUNDAY",
    time: `${two(Math.floor(inDay / HOUR))}:${two(inDay % HOUR)}`,
  };
}

/** Those that are there more than once, as people write them: `MONDAY 09:30`. */
export function repeated(slots: Slot[]): string[] {
  const names = slots.map(({ weekday, time }) => `${weekday} ${time}`);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
