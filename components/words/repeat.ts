/** The texts of repeating a post at many dates. */

export const backToPost = "Back to the post";
export const title = "Repeat a post";
export const loading = "Loading the post";
export const couldNotLoad = (why: string) => `Could not load this post: ${why}`;
export const noText = "No text";

// The form.
export const howOften = "How often";
export const everyDay = "Every day";
export const everyWeek = "Every week";
export const everyMonth = "Every month";
export const dayOfMonth = "Day of the month";
export const shorterMonths = "A month that has no such day gets it on its last.";
export const time = "Time";
export const timeZone = "Time zone";
export const until = "Until";
export const aNumber = "A number of times";
export const aLastDay = "A last day";
export const times = "Times, at most 100";
export const lastDay = "Last day";
export const showDates = "Show the dates";
export const tickDay = "Tick at least one day.";
export const giveDay = "Give a day of the month, from 1 to 31.";
export const giveTime = "Give the time.";
export const giveTimes = "Give a number of times, from 1 to 100.";
export const giveLastDay = "Give the last day.";

// The dates.
export const dates = "Dates";
export const toCreate = (count: number) => (count === 1 ? "1 post to create" : `${count} posts to create`);
export const timesOf = (zone: string) => `All times are those of ${zone}. The post itself stays as it is.`;
export const leftOut = "Left out.";
export const skipped = (time: string) => `Clocks are put forward over ${time} that day, so it is the moment after.`;
export const twice = (time: string) => `Clocks show ${time} twice that day; it is the first of the two.`;
/** `offset` is how far the clock is from UTC: UTC+02:00. */
export const shifted = (time: string, offset: string) =>
  `Clocks have changed since the date before: still ${time} there, ${offset} now.`;
export const monthEnd = "This month has no such day, so it is its last.";
export const twin = "Another post has the same text on the same account within a day.";
export const close = (count: number) =>
  `${count} of these dates are within a day of one another, with the same text on the same account.`;
export const oneHasToStay = "One date has to stay.";
export const create = (count: number) => (count === 1 ? "Create 1 post" : `Create ${count} posts`);
export const creating = "Creating…";
export const created = (count: number) => (count === 1 ? "1 post created." : `${count} posts created.`);
