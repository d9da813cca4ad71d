import type { View } from "./views";

/** The texts of the calendar. */
export const calendarWords = {
  couldNotLoad: (why: string) => `Could not load your calendar: ${why}`,
  loading: "Loading the calendar",
  notAll: "Showing the newest 2,000 posts. Narrow it down with a filter.",
  nothing: "No posts here yet",
  write: "New post",

  // Links to other days.
  earlier: "Earlier",
  today: "Today",
  later: "Later",
  timesIn: (zone: string) => `Times in ${zone}`,
  /** Month, week, day or list. */
  view: "View",

  network: "Network",
  allNetworks: "All networks",
  account: "Account",
  allAccounts: "All accounts",
  state: "State",
  allStates: "All states",
  showEverything: "Show everything",

  /** Over a day in the list. */
  todayIs: (day: string) => `${day} · today`,
  /** Read aloud: what the table of a month is. */
  month: "Schedules of the month, a row for each week",
  openDay: (day: string) => `Open ${day}`,
  writeFor: (day: string) => `New post for ${day}`,
  /** The number of further posts of a day. */
  more: (count: number) => `+${count} more`,
  /** Read aloud: what scrolls below the days of a week. */
  hours: "Hours",
  /** Read aloud: what the table of a week is. */
  byHour: "Schedules by day and hour",
  /** Read aloud: the heading of the column of hours. */
  hour: "Hour",
  /** Read aloud on a post in the grid. */
  accounts: (count: number) => (count === 1 ? "1 account" : `${count} accounts`),
  /** A free time of a queue: `time` is its time of day, `slot` the text below. */
  free: "{time} free{slot}",
  /** Read aloud behind the text above. */
  slotOf: (accounts: string) => ` slot of ${accounts}: write a post for it`,

  /** Read aloud while a post is dragged. `post` is its text. */
  drag: {
    how: "Drag a post to another time, or use its button “Move to…”.",
    picked: (post: string, time: string) => `You picked up “${post}”, which is planned for ${time}.`,
    over: (post: string, time: string) => `Let go to move “${post}” to ${time}.`,
    outside: (post: string) => `“${post}” is outside the calendar. Let go to leave it where it was.`,
    dropped: (post: string, time: string) => `You dropped “${post}” on ${time}.`,
    stays: (post: string, time: string) => `“${post}” stays on ${time}.`,
  },

  zoneChanged: (before: string, now: string) =>
    `Your browser came from ${before} to ${now}. Times are now shown in the new zone; every post goes out at the same instant as before.`,
  gotIt: "Got it",

  views: { month: "Month", week: "Week", day: "Day", list: "List" } satisfies { [view in View]: string },

  page: {
    calendar: "Calendar",
    /** “Move to…” is on each post's menu. */
    calendarLead: "Drag a post to another time, or use “Move to…”.",
  },
} as const;
