import { instantsAt, isTimeZone, zoneOf } from "../../time/zone";
import type { CsvRow, RowProblem } from "./columns";

const LOCAL = ["date", "time", "timeZone"] as const;

/** Reads the time of a row: `scheduledTime` as the API takes it, or a date and a time of day in a time zone. */
export function readScheduledTime({ cells }: CsvRow): { scheduledTime?: string; problems: RowProblem[] } {
  const scheduledTime = cells.get("scheduledTime")?.trim();
  const given = LOCAL.filter((name) => cells.has(name));
  if (given.length === 0) return { ...(scheduledTime ? { scheduledTime } : {}), problems: [] };
  if (scheduledTime) {
    const message = "cannot be combined with date, time and timeZone";
    const problem = { path: "scheduledTime", column: "scheduledTime", message, rule: "csv.time_twice" } as const;
    return { problems: [{ ...problem, fix: "Leave one of them empty" }] };
  }
  return readLocalTime(cells);
}

function readLocalTime(cells: CsvRow["cells"]): { scheduledTime?: string; problems: RowProblem[] } {
  const [date, time, zone] = LOCAL.map((name) => cells.get(name)?.trim() ?? "") as [string, string, string];
  const problems = [
    ...columnProblems("date", date, parseDate(date), "Write it like 2030-01-31"),
    ...columnProblems("time", time, parseTimeOfDay(time), "Write it like 09:00"),
    ...columnProblems("timeZone", zone, isTimeZone(zone) || undefined, "Write it like Europe/Berlin, or UTC"),
  ];
  if (problems.length > 0) return { problems };
  const at = toInstant(zone, `${parseDate(date)}T${parseTimeOfDay(time)}`);
  if (at) return { scheduledTime: at.toISOString().replace(".000Z", "Z"), problems: [] };
  const message = `does not exist on ${date} in ${zone}, because the clocks go forward at that time: ${time}`;
  const fix = "Choose a time one hour later";
  return {
    problems: [{ path: "scheduledTime", column: "time", message, rule: "csv.time_skipped", measured: time, fix }],
  };
}

const KINDS = { date: "a date", time: "a time of day", timeZone: "a time zone" };

function columnProblems(column: (typeof LOCAL)[number], given: string, read: unknown, fix: string): RowProblem[] {
  if (read !== undefined) return [];
  const at = { path: "scheduledTime", column, fix };
  if (given === "") return [{ ...at, message: "cannot be null", rule: "required" }];
  return [{ ...at, message: `is not ${KINDS[column]} in a known format: ${given}`, rule: "csv.time", measured: given }];
}

/** The formats of dates and times that are common in spreadsheets. */
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$|^(\d{4})\/(\d{1,2})\/(\d{1,2})$|^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?m\.?)?$/i;

/** Returns `2030-01-31` for `2030-01-31`, `2030/1/31` or `31.1.2030`. Formats such as `1/2/2030` are ambiguous and rejected. */
export function parseDate(text: string): string | undefined {
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

/** Returns `HH:MM:SS` for `9:00`, `21:30:15` or `9:00 pm`. */
export function parseTimeOfDay(text: string): string | undefined {
  const match = TIME.exec(text.trim());
  if (!match) return undefined;
  const [, hours, minutes = "", seconds = "00", half] = match;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hours);
  const isTime =
    hour < 24 && Number(minutes) < 60 && Number(seconds) < 60 && !(half && (Number(hours) > 12 || hours === "0"));
  return isTime ? [String(hour).padStart(2, "0"), minutes, seconds].join(":") : undefined;
}

/**
 * Returns the instant of a local time in a zone; the earlier one if the local time occurs twice. Undefined if it does not occur
 * because the clocks go forward.
 * @param local `2030-01-31T09:00:00`
 */
export function toInstant(zone: string, local: string): Date | undefined {
  const [first] = instantsAt(zoneOf(zone), Date.parse(`${local}Z`));
  return first === undefined ? undefined : new Date(first);
}
