import type { View } from "./views";

/** The texts of the calendar. */
export const calendarWords = {
  /** Read aloud before the month, the week or the day of the heading. */
  title: "Calendar: ",
  couldNotLoad: (why: string) => `Could not load your calendar: ${why}`,
  loading: "Loading the calendar",
  notAll: "Showing the first 2,000 posts. Narrow it down with a filter.",
  nothing: "No posts here yet",

  // Links to other days.
  earlier: "Earlier",
  today: "Today",
  later: "Later",
  timesIn: (zone: string) => `Times in ${zone}`,
  /** Below the calendar. */
  how: "Drag a post to move it, with Shift to copy it, or select it and press M",
  /** Month, week, day or list. */
  view: "View",

  network: "Network",
  allNetworks: "All networks",
  group: "Group",
  allGroups: "All groups",
  account: "Account",
  allAccounts: "All accounts",
  state: "State",
  anyState: "Any state",
  clear: "Clear",

  /** What the colours of posts mean. */
  legend: {
    scheduled: "Scheduled",
    published: "Published",
    attention: "Needs attention",
    failed: "Failed",
    draft: "Draft",
  },

  /** Over a day in the list. */
  todayIs: (day: string) => `${day} · today`,
  posts: (count: number) => (count === 1 ? "1 post" : count === 0 ? "No posts" : `${count} posts`),
  /** Read aloud: what the table of a month is. */
  month: "Posts of the month, a row for each week",
  /** Read aloud: the heading of the column with the edges of the weeks. */
  weeks: "Weeks",
  /** Read aloud: the button that folds and unfolds a week. */
  weekOf: (day: string) => `Week of ${day}`,
  openDay: (day: string) => `Open ${day}`,
  /** Read aloud on a day of a phone. */
  dayWith: (day: string, count: number): string => `${day}, ${calendarWords.posts(count)}`,
  writeFor: (day: string) => `New post for ${day}`,
  /** The number of further posts of a day. */
  more: (count: number) => `${count} more`,
  /** The same, read aloud. */
  moreOf: (count: number, day: string) => `${count} more on ${day}`,
  /** A post of a week that is over, which is a picture alone. */
  tile: (state: string, time: string, text: string) => `${state}, ${time}, ${text}`,
  /** Read aloud: what scrolls below the days of a week. */
  hours: "Hours",
  /** Read aloud on a post in the grid. */
  accounts: (count: number) => (count === 1 ? "1 account" : `${count} accounts`),
  /** A free posting time: `time` is its time of day, `accounts` the text below. */
  free: "{time} free{accounts}",
  /** Read aloud behind the text above. */
  freeFor: (accounts: string) => ` for ${accounts}: write a post for it`,

  /** Why a post cannot be dragged. */
  stays: {
    publishing: "This post is being published. It can’t be moved any more.",
    over: (time: string) => `The time of this post, ${time}, has passed. It can’t be moved.`,
  },

  /** Read aloud while a post is dragged. `post` is its text. */
  drag: {
    how: "Drag a post to another time, or use its button “Move to…”.",
    /** Before the time at which a copy will land. */
    copy: "Copy to ",
    picked: (post: string, time: string) => `You picked up “${post}” at ${time}.`,
    over: (post: string, time: string, isCopy: boolean) =>
      `Let go to ${isCopy ? "copy" : "move"} “${post}” to ${time}.`,
    outside: (post: string) => `“${post}” is outside the calendar. Let go to leave it where it was.`,
    dropped: (post: string, time: string) => `You dropped “${post}” on ${time}.`,
    stays: (post: string, time: string) => `“${post}” stays on ${time}.`,
  },

  zoneChanged: (before: string, now: string) =>
    `Your browser came from ${before} to ${now}. Times are now shown in the new zone; every post goes out at the same instant as before.`,
  gotIt: "Got it",

  views: { month: "Month", week: "Week", day: "Day", list: "List" } satisfies { [view in View]: string },

  page: { calendar: "Calendar" },
} as const;
