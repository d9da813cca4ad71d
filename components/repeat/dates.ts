import type { z } from "zod";
import type { RepeatReport } from "@/lib/api/shapes";
import { language } from "../time/format";
import { repeatWords } from "./words";

/** The response of `POST /v1/posts/{id}/repeat`. */
export type ApiRepeatReport = z.output<typeof RepeatReport>;
export type ApiRepeatedDate = ApiRepeatReport["dates"][number];

const day = new Intl.DateTimeFormat(language, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Formats a date in the chosen zone: `Mon, 31 Mar 2031, 09:30`. */
export function whenWords({ localTime }: Pick<ApiRepeatedDate, "localTime">): string {
  return `${day.format(new Date(`${localTime.slice(0, 10)}T00:00Z`))}, ${localTime.slice(11, 16)}`;
}

/** `UTC+02:00` */
export function offsetWords({ localTime }: Pick<ApiRepeatedDate, "localTime">): string {
  return `UTC${localTime.slice(19).replace("-", "−")}`;
}

/** Notes on a date compared to the one before, one sentence each. */
export function notesOn(date: ApiRepeatedDate, before: ApiRepeatedDate | undefined, time: string): string[] {
  const hasShifted = before && offsetWords(before) !== offsetWords(date);
  const other = date.nearDuplicates.some(({ id }) => id !== undefined);
  return [
    ...(date.clock === "SKIPPED" ? [repeatWords.skipped(time)] : []),
    ...(date.clock === "TWICE" ? [repeatWords.twice(time)] : []),
    ...(hasShifted && date.clock !== "SKIPPED" ? [repeatWords.shifted(time, offsetWords(date))] : []),
    ...(date.isMonthEnd ? [repeatWords.monthEnd] : []),
    ...(other ? [repeatWords.nearDuplicate] : []),
  ];
}

/** A note for all dates: daily ones are within a day of each other. */
export function closeWords({ dates }: Pick<ApiRepeatReport, "dates">): string | undefined {
  const close = dates.filter(({ nearDuplicates }) => nearDuplicates.some(({ id }) => id === undefined)).length;
  return close > 0 ? repeatWords.close(close) : undefined;
}
