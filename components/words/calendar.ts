/** The texts of the calendar. */

export const couldNotLoad = (why: string) => `Could not load your calendar: ${why}`;
export const loading = "Loading the calendar";
export const notAll = "There are more than fit here. Choose a shorter time or a filter.";
export const nothing = "Nothing stands here yet.";
export const write = "Write a post";

// The way to other days.
export const earlier = "Earlier";
export const today = "Today";
export const later = "Later";
export const timesIn = (zone: string) => `Times in ${zone}`;
/** Month, week, day or list. */
export const view = "View";

export const network = "Network";
export const allNetworks = "All networks";
export const account = "Account";
export const allAccounts = "All accounts";
export const state = "State";
export const allStates = "All states";
export const showEverything = "Show everything";

/** Over a day in the list. */
export const todayIs = (day: string) => `${day} · today`;
/** Read aloud: what the table of a month is. */
export const month = "Schedules of the month, a row for each week";
export const openDay = (day: string) => `Open ${day}`;
export const writeFor = (day: string) => `Write a post for ${day}`;
/** Of one day, besides those that are shown. */
export const more = (count: number) => `+${count} more`;
/** Read aloud: what scrolls below the days of a week. */
export const hours = "Hours";
/** Read aloud: what the table of a week is. */
export const byHour = "Schedules by day and hour";
/** Read aloud: the head of the column of hours. */
export const hour = "Hour";
/** Read aloud on a post in the grid. */
export const accounts = (count: number) => (count === 1 ? "1 account" : `${count} accounts`);
/** A free time of a queue: `time` is its time of day, `slot` the text below. */
export const free = "{time} free{slot}";
/** Read aloud behind the text above. */
export const slotOf = (accounts: string) => ` slot of ${accounts}: write a post for it`;

export const zoneChanged = (before: string, now: string) =>
  `Your browser came from ${before} to ${now}. Times are now shown in the new zone; every post goes out at the same instant as before.`;
export const gotIt = "Got it";
