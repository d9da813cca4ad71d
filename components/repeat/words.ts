/** A date as the API answers it. */
export type RepeatedDate = {
  date: string;
  scheduledTime: string;
  localTime: string;
  clock?: "SKIPPED" | "TWICE";
  isMonthEnd?: true;
  outcome: "ready" | "left_out" | "created";
  id?: number;
  twins: { id?: number; socialMediaAccountId: number; scheduledTime: string }[];
};

export type Report = {
  counts: { ready: number; leftOut: number; created: number };
  dates: RepeatedDate[];
  problems: { message: string; severity?: "warning" }[];
};

const day = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `Mon, 31 Mar 2031, 09:30`, as the zone's clock shows it wherever the reader is. */
export function whenWords({ localTime }: Pick<RepeatedDate, "localTime">): string {
  return `${day.format(new Date(`${localTime.slice(0, 10)}T00:00Z`))}, ${localTime.slice(11, 16)}`;
}

/** `UTC+02:00` */
export function offsetWords({ localTime }: Pick<RepeatedDate, "localTime">): string {
  return `UTC${localTime.slice(19).replace("-", "−")}`;
}

/** What is to be known of a date, beside the one before it; a sentence each. */
export function notesOn(date: RepeatedDate, before: RepeatedDate | undefined, time: string): string[] {
  const hasShifted = before && offsetWords(before) !== offsetWords(date);
  const other = date.twins.some(({ id }) => id !== undefined);
  return [
    ...(date.clock === "SKIPPED" ? [`Clocks are put forward over ${time} that day, so it is the moment after.`] : []),
    ...(date.clock === "TWICE" ? [`Clocks show ${time} twice that day; it is the first of the two.`] : []),
    ...(hasShifted && date.clock !== "SKIPPED"
      ? [`Clocks have changed since the date before: still ${time} there, ${offsetWords(date)} now.`]
      : []),
    ...(date.isMonthEnd ? ["This month has no such day, so it is its last."] : []),
    ...(other ? ["Another post has the same text on the same account within a day."] : []),
  ];
}

/** Said once above the dates: daily ones have one another within a day, all of them. */
export function closeWords({ dates }: Pick<Report, "dates">): string | undefined {
  const close = dates.filter(({ twins }) => twins.some(({ id }) => id === undefined)).length;
  return close > 0
    ? `${close} of these dates are within a day of one another, with the same text on the same account.`
    : undefined;
}
