/** The texts of an account's queue: its times, and the question about a new time zone. */
export const queueWords = {
  loading: "Loading the posting times",
  couldNotLoad: (why: string) => `Could not load the posting times: ${why}`,
  noTimesYet: "No posting times yet",
  /** `times`: "09:00 and 17:00" */
  startWith: (times: string) => `Start with weekdays at ${times}, or add your own below.`,
  addReadySet: (times: string) => `Use weekdays at ${times}`,
  readySetAdded: (times: string) => `Weekdays at ${times} added.`,
  /** `days` are their names, with commas between. */
  added: (time: string, days: string) => `${time} added on ${days}.`,
  removed: (day: string, time: string) => `${day} ${time} removed.`,
  nowReadIn: (zone: string) => `The times are now in ${zone}.`,
  notKept: (why: string) => `Not saved. Your change was undone. ${why}`,
  keeping: "Saving…",

  // A week in a few words.
  daily: "Daily",
  weekdays: "Weekdays",
  timesAWeek: (count: number) => `${count} times a week`,

  // The week.
  weeklyTimes: "Weekly times",
  noTimes: "No times",
  remove: (day: string, time: string) => `Remove ${day} ${time}`,
  nextFree: "Next free",
  asYourClock: (zone: string) => `In your own time zone, ${zone}.`,

  // A time is added.
  addTime: "Add a time",
  days: "Days",
  time: "Time",
  add: "Add",
  tickDay: "Choose at least one day",
  giveTime: "Enter a time",
  isThere: "That time is already in the list.",

  // The zone; the three sentences are in one line.
  timeZone: "Time zone",
  readInIt: "All times below are in this zone.",
  ownClock: (zone: string) => `You are in ${zone}.`,
  plannedStays: "Scheduled posts stay where they are, unless you choose to move them when you are asked.",

  zone: {
    looking: "Looking for posts at these times…",
    couldNotLoad: (why: string) => `Could not load the posts at these times: ${why}`,

    /** The window's title. */
    title: (moves: number) => {
      if (moves === 0) return "Scheduled posts stay where they are";
      return moves === 1 ? "Move the scheduled post as well?" : "Move the scheduled posts as well?";
    },
    found: (count: number, zone: string) =>
      count === 1
        ? `1 scheduled post is at one of these times in ${zone}.`
        : `${count.toLocaleString("en")} scheduled posts are at these times in ${zone}.`,
    /** Behind the sentence before. */
    keepTheirTime: (count: number, zone: string) =>
      count === 1
        ? `If you move it, it keeps its time of day, but in ${zone}.`
        : `If you move them, each keeps its time of day, but in ${zone}.`,
    goElsewhere: (count: number) =>
      count === 1
        ? "1 of them goes to other accounts as well, and moves for those too."
        : `${count} of them go to other accounts as well, and move for those too.`,
    /** For the only one. */
    itsTimeIsOver: "Its new time has passed, so it stays where it is.",
    timesAreOver: (count: number) =>
      count === 1
        ? "The new time of 1 of them has passed, so that one stays where it is."
        : `The new times of ${count} of them have passed, so those stay where they are.`,
    isCut: "Only the latest 2,000 scheduled posts were looked at. There are more.",

    firstOfThem: "The first of them",
    noText: "No text",
    now: "Now",
    movedTo: "Moved",
    yourClock: "Your clock",

    move: (count: number) => (count === 1 ? "Move 1 post" : `Move ${count.toLocaleString("en")} posts`),
    moving: (one: number, of: number) => `Moving ${one} of ${of}…`,
    leave: (count: number) => (count === 1 ? "Leave it where it is" : "Leave them where they are"),
    stop: "Stop",
    /** Read aloud from time to time. */
    begun: (count: number) => (count === 1 ? "Moving 1 post…" : `Moving ${count.toLocaleString("en")} posts…`),
    someDone: (done: number, of: number) => `${done} of ${of} done.`,

    /** `stayed`: those that were not moved because the person stopped it. */
    moved: (count: number, stayed: number, zone: string) => {
      const what =
        count === 0
          ? "Nothing was moved"
          : count === 1
            ? `1 post moved to ${zone}`
            : `${count.toLocaleString("en")} posts moved to ${zone}`;
      if (stayed === 0) return `${what}.`;
      return stayed === 1 ? `${what}; 1 stays where it was.` : `${what}; ${stayed} stay where they were.`;
    },
    movedBack: (count: number) =>
      count === 1 ? "1 post moved back." : `${count.toLocaleString("en")} posts moved back.`,

    /** Above a list of them. */
    notMoved: (count: number) =>
      count === 1 ? "1 post was not moved:" : `${count.toLocaleString("en")} posts were not moved:`,
    nobodyKnows: (count: number) =>
      count === 1 ? "1 post may have been moved:" : `${count.toLocaleString("en")} posts may have been moved:`,
    notMovedOrUnknown: (count: number, unknown: number) =>
      count === 1
        ? `1 post was not moved, and ${unknown} may have been moved:`
        : `${count.toLocaleString("en")} posts were not moved, and ${unknown} may have been moved:`,
    whyNot: "{post}: {why}",
    whyNotAt: "{post}, {time}: {why}",
    more: (count: number) => `And ${count} more.`,
  },
} as const;
