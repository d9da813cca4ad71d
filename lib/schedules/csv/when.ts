import { isTimeZone } from "../../time/zone";
import type { RowProblem } from "./problem";
import type { Row } from "./table";
import { dateOf, instantIn, timeOf } from "./zoned";

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
