/** The ways in which the calendar shows days. */
export const views = ["month", "week", "day", "list"] as const;
export type View = (typeof views)[number];

export const viewWords: Record<View, string> = { month: "Month", week: "Week", day: "Day", list: "List" };
