import { weekdays } from "@/lib/slots";
import { zoneOf } from "@/lib/zone";
import type { Weekday } from "../api/slots";
import type { Schedule } from "../api/types";

/** What stands in the form; `ends` says which of `count` and `until` counts. */
export type Draft = {
  every: "DAY" | "WEEK" | "MONTH";
  weekdays: Weekday[];
  dayOfMonth: number;
  time: string;
  timeZone: string;
  ends: "count" | "until";
  count: number;
  until: string;
};

/** The body of `POST /v1/posts/{id}/repeat`. */
export type Wish = Pick<Draft, "every" | "time" | "timeZone"> & {
  weekdays?: Weekday[];
  dayOfMonth?: number;
  count?: number;
  until?: string;
  leaveOut: string[];
};

const START_COUNT = 4;

/** Every week on the post's own day, at its own time. */
export function draftFor({ scheduledTime }: Pick<Schedule, "scheduledTime">, timeZone: string, now: number): Draft {
  const instant = scheduledTime ? Date.parse(scheduledTime) : now;
  const wall = new Date(instant + zoneOf(timeZone).offsetAt(instant));
  const weekday = weekdays[(wall.getUTCDay() + 6) % 7] ?? "MONDAY";
  return {
    every: "WEEK",
    weekdays: [weekday],
    dayOfMonth: wall.getUTCDate(),
    time: scheduledTime ? wall.toISOString().slice(11, 16) : "09:00",
    timeZone,
    ends: "count",
    count: START_COUNT,
    until: "",
  };
}

/** What keeps it from being asked; undefined where nothing does. */
export function lackOf({ every, weekdays: days, dayOfMonth, time, ends, count, until }: Draft): string | undefined {
  if (every === "WEEK" && days.length === 0) return "Tick at least one day.";
  if (every === "MONTH" && !isWithin(dayOfMonth, 31)) return "Give a day of the month, from 1 to 31.";
  if (time === "") return "Give the time.";
  if (ends === "count" && !isWithin(count, 100)) return "Give a number of times, from 1 to 100.";
  return ends === "until" && until === "" ? "Give the last day." : undefined;
}

function isWithin(number: number, most: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= most;
}

export function wishOf(draft: Draft, leaveOut: string[]): Wish {
  const { every, time, timeZone } = draft;
  return {
    ...{ every, time, timeZone, leaveOut },
    ...(every === "WEEK" ? { weekdays: draft.weekdays } : {}),
    ...(every === "MONTH" ? { dayOfMonth: draft.dayOfMonth } : {}),
    ...(draft.ends === "count" ? { count: draft.count } : { until: draft.until }),
  };
}
