/** The ways in which the calendar shows days. */
export const views = ["month", "week", "day", "list"] as const;
export type View = (typeof views)[number];
