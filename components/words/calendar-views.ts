/** The ways in which the calendar shows days. */
import type { View } from "../calendar/views";

export const views: { [view in View]: string } = { month: "Month", week: "Week", day: "Day", list: "List" };
