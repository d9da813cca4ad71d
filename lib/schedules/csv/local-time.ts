import { instantsAt, isTimeZone, zoneOf } from "../../time/zone";
import type { Row, RowProblem } from "./columns";

const LOCAL = ["date", "time", "timeZone"] as const;

/** What a row says of the time: `scheduledTime` as the API takes it, or a date and a time of day in a time zone. */
export function whenOf({ cells }: Row): { scheduledTime?: string; problems: RowProblem[] } {
  const scheduledTime = cells.get("scheduledTime")?.trim();
  const given = LOCAL.filter((name) => cells.has(name));
  if (given.length === 0) return { ...(scheduledTime ? { scheduledTime } : {}), problems: [] };
  if (scheduledTime) {
    const message = "cannot stand beside date, time and timeZone";
    const problem = { path: "scheduledTime", column: "scheduledTime", message, rule: "csv.time_twice" } as const;
    return { problems: [{ ...problem, fix: "Leave one of the two empty" }] };
  }
  return localOf(cells);
}

function localOf(cells: Row["cells"]): { scheduledTime?: string; problems: RowProblem[] } {
  const [date, time, zone] = LOCAL.map((name) => cells.get(name)?.trim() ?? "") as [string, string, string];
  const problems = [
    ...wrong("date", date, dateOf(date), "Write it like 2030-01-31"),
    ...wrong("time", time, timeOf(time), "Write it like 09:00"),
    ...wrong("timeZone", zone, isTimeZone(zone) || undefined, "Write it like Europe/Berlin, or UTC"),
  ];
  if (problems.length > 0) return { problems };
  const at = instantIn(zone, `${dateOf(date)}T${timeOf(time)}`);
  if (at) return { scheduledTime: at.toISOString().replace(".000Z", "Z"), problems: [] };
  const message = `does not exist on ${date} in ${zone}, where clocks are put forward over it: ${time}`;
  const fix = "Choose a time an hour later";
  return {
    problems: [{ path: "scheduledTime", column: "time", message, rule: "csv.time_skipped", measured: time, fix }],
  };
}

const KINDS = { date: "a date", time: "a time of day", timeZone: "a time zone" };

function wrong(column: (typeof LOCAL)[number], given: string, read: unknown, fix: string): RowProblem[] {
  if (read !== undefined) return [];
  const at = { path: "scheduledTime", column, fix };
  if (given === "") return [{ ...at, message: "cannot be null", rule: "required" }];
  return [{ ...at, message: `is not ${KINDS[column]} that is known: ${given}`, rule: "csv.time", measured: given }];
}

/** A time of day on a date in a time zone, as people write them into a spreadsheet. */
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$|^(\d{4})\/(\d{1,2})\/(\d{1,2})$|^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?m\.?)?$/i;

/** `2030-01-31`, `2030/1/31` or `31.1.2030` as `2030-01-31`; with two slashes nobody knows which number is the month. */
export function dateOf(text: string): string | undefined {
  const match = DATE.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day] = match[7]
    ? [match[9], match[8], match[7]]
    : [match[1] ?? match[4], match[2] ?? match[5], match[3] ?? match[6]];
  return exists(Number(year), Number(month), Number(day))
    ? [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-")
    : undefined;
}

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** `9:00`, `21:30:15` or `9:00 pm` as `HH:MM:SS`. */
export function timeOf(text: string): string | undefined {
  const match = TIME.exec(text.trim());
  if (!match) return undefined;
  const [, hours, minutes = "", seconds = "00", half] = match;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hours);
  const isTime =
    hour < 24 && Number(minutes) < 60 && Number(seconds) < 60 && !(half && (Number(hours) > 12 || hours === "0"));
  return isTime ? [String(hour).padStart(2, "0"), minutes, seconds].join(":") : undefined;
}

/**
 * The instant at which clocks of a zone show a time; the earlier one where they show it twice. Undefined where they never do,
 * because they are put forward over it.
 * @param local `2030-01-31T09:00:00`
 */
export function instantIn(zone: string, local: string): Date | undefined {
  const [first] = instantsAt(zoneOf(zone), Date.parse(`${local}Z`));
  return first === undefined ? undefined : new Date(first);
}
