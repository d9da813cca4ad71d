/** The texts of repeating a post. */
export const repeatWords = {
  backToPost: "Back to the post",
  title: "Repeat a post",
  loading: "Loading the post",
  noText: "No text",

  // The form.
  howOften: "How often",
  everyDay: "Every day",
  everyWeek: "Every week",
  everyMonth: "Every month",
  dayOfMonth: "Day of the month",
  shorterMonths: "Months without this day use their last day.",
  time: "Time",
  timeZone: "Time zone",
  until: "Until",
  aNumber: "A number of times",
  aLastDay: "A last day",
  times: "Times, at most 100",
  lastDay: "Last day",
  showDates: "Show the dates",
  tickDay: "Choose at least one day",
  giveDay: "Enter a day of the month, from 1 to 31.",
  giveTime: "Enter a time",
  giveTimes: "Enter a number of times, from 1 to 100.",
  giveLastDay: "Enter the last day.",

  // The dates.
  dates: "Dates",
  toCreate: (count: number) => (count === 1 ? "1 post to create" : `${count} posts to create`),
  timesOf: (zone: string) => `All times are those of ${zone}. The post itself stays as it is.`,
  leftOut: "Left out.",
  skipped: (time: string) => `The clocks skip ${time} that day, so the time after the change is used.`,
  twice: (time: string) => `The clocks show ${time} twice that day. The first is used.`,
  /** `offset` is how far the clock is from UTC: UTC+02:00. */
  shifted: (time: string, offset: string) =>
    `Clocks have changed since the date before: still ${time} there, ${offset} now.`,
  monthEnd: "This month does not have this day, so its last day is used.",
  nearDuplicate: "Another post has the same text on the same account within a day.",
  close: (count: number) =>
    `${count} of these dates are within a day of one another, with the same text on the same account.`,
  oneHasToStay: "One date has to stay.",
  create: (count: number) => (count === 1 ? "Create 1 post" : `Create ${count} posts`),
  creating: "Creating…",
  created: (count: number) => (count === 1 ? "1 post created." : `${count} posts created.`),

  page: {
    repeat: "Repeat a post",
  },
} as const;
