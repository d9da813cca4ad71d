import { weekdays } from "@/lib/time/weekly";
import { zoneOf } from "@/lib/time/zone";
import type { BodyForm } from "../api/body-resolver";
import type { Weekday } from "../api/slots";
import type { ApiSchedule } from "../api/types";
import { repeatWords } from "./words";

/** The form values; `ends` selects `count` or `until`. */
export type RepeatDraft = {
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
export type RepeatFormInput = Pick<RepeatDraft, "every" | "time" | "timeZone"> & {
  weekdays?: Weekday[];
  dayOfMonth?: number;
  count?: number;
  until?: string;
  leaveOut: string[];
};

const START_COUNT = 4;

/** The defaults: every week on the post's own day and time. */
export function repeatDraftFor(
  { scheduledTime }: Pick<ApiSchedule, "scheduledTime">,
  timeZone: string,
  now: number,
): RepeatDraft {
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

/** The messages for missing or invalid values, by path in the body. */
const lacks: { [path: string]: string } = {
  weekdays: repeatWords.tickDay,
  dayOfMonth: repeatWords.giveDay,
  time: repeatWords.giveTime,
  count: repeatWords.giveTimes,
  until: repeatWords.giveLastDay,
};

/** How the form is validated as a request body. */
export const repeatBodyForm: BodyForm<RepeatDraft> = {
  fields: ["weekdays", "dayOfMonth", "time", "timeZone", "count", "until"],
  schema: async () => (await import("@/lib/schedules/repeat/input")).RepeatInput,
  bodyOf: (draft) => repeatInputFor(draft, []),
  says: ({ path }) => lacks[path],
};

export function repeatInputFor(draft: RepeatDraft, leaveOut: string[]): RepeatFormInput {
  const { every, time, timeZone } = draft;
  return {
    ...{ every, time, timeZone, leaveOut },
    ...(every === "WEEK" ? { weekdays: draft.weekdays } : {}),
    ...(every === "MONTH" ? { dayOfMonth: draft.dayOfMonth } : {}),
    ...(draft.ends === "count" ? { count: draft.count } : { until: draft.until }),
  };
}
