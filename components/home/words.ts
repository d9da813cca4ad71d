/** The texts of the first page after signing in. */
export const homeWords = {
  couldNotLoad: (why: string) => `Could not load your dashboard: ${why}`,
  loading: "Loading",
  upcoming: "Upcoming",
  drafts: "Drafts",
  recent: "Recent",
  nothingScheduled: "Nothing is scheduled.",
  writeNext: "Write the next post",
  nothingYet: "Nothing has gone out yet.",

  checklist: "Your first post, in four steps",
  /** Read aloud behind a step's title. */
  done: " (done)",
  connect: "Connect an account",
  connectSimulated: "Start with a simulated one: it behaves like the real network and needs no approval.",
  connectReal: "You decide on the network's own page what Carillon may do.",
  write: "New post",
  writeHow: "One text and a picture, for every account you choose.",
  schedule: "Schedule it",
  scheduleHow: "Your draft is waiting. Pick a time, or send it now.",
  goOn: "Continue with your draft",
  published: "See it published",
  publishedHow: "When its time comes, each account turns to “Published” with a link to the post.",
  watch: "Watch your posts",

  /** Today, as bells on a beam. */
  today: {
    beam: "The posts of today",
    greeting: (hour: number, name: string) =>
      `${hour < 5 || hour >= 18 ? "Good evening" : hour < 12 ? "Good morning" : "Good afternoon"}, ${name}`,
    none: "Nothing is scheduled for today.",
    posts: (count: number, out: number) => {
      const all = count === 1 ? "1 post today" : `${count.toLocaleString("en")} posts today`;
      return out === 0 ? `${all}.` : `${all}, ${out === 1 ? "1 is" : `${out.toLocaleString("en")} are`} out.`;
    },
    next: (accounts: number, time: string) =>
      `The next goes to ${accounts === 1 ? "1 account" : `${accounts} accounts`} at ${time}.`,
    states: { published: "published", next: "next", ahead: "scheduled", failed: "failed", unknown: "outcome unknown" },
    bell: (time: string, state: string, accounts: number, text: string | undefined) =>
      `${time}, ${state}, ${accounts === 1 ? "1 account" : `${accounts} accounts`}: ${text?.slice(0, 80) ?? "a post without text"}`,
    bells: (count: number, time: string, state: string) => `${count} posts from ${time}, ${state}`,
    list: "Today",
    openDay: "Open the day",
    now: (time: string) => `${time} now`,
  },
  needsAttention: "Needs attention",
  nextDays: "Next 7 days",
  openCalendar: "Calendar",
  postsOn: (count: number, day: string) =>
    `${count === 0 ? "No posts" : count === 1 ? "1 post" : `${count.toLocaleString("en")} posts`} on ${day}`,
  nothingOn: (day: string) => `Nothing on ${day} yet.`,
  fill: "Fill it",
  fillDay: (day: string) => `Write a post for ${day}`,
  allDrafts: "All drafts",
  allPosts: "All posts",

  /** What needs the user, on the first page and in the notification centre. */
  attention: {
    title: "Notifications",
    /** On Home, which shows a few of them. */
    all: "All notifications",
    clear: "All clear",
    allClear: "Nothing needs your attention.",
    loading: "Loading your notifications",
    couldNotLoad: (why: string) => `Could not load your notifications: ${why}`,
    more: "See all posts",
    isNew: "New",
    named: (account: string, network: string) => `${account} on ${network}`,
    quoted: (text: string | undefined) => (text ? `“${text}”` : "A post without text"),
    reconnect: (account: string) => `${account} needs reconnecting`,
    reconnectWhy: "Until you reconnect it, its posts fail when their time comes.",
    reconnectNow: "Reconnect",
    reconnectOne: (account: string) => `Reconnect ${account}`,
    isReconnected: (account: string) => `${account} is connected again.`,
    reconnectAndPublish: "Reconnect and publish",
    reconnectAndPublishOne: (account: string) => `Reconnect ${account} and publish`,
    failed: (post: string, networks: string[]) =>
      networks.length > 0 ? `${post} failed on ${networks.join(", ")}` : `${post} failed`,
    unknown: (post: string, networks: string[]) =>
      networks.length > 0 ? `${networks.join(", ")} did not confirm ${post}` : `The outcome of ${post} is unknown`,
    tryAgain: "Try again",
    tryAgainOne: (title: string) => `Try again: ${title}`,
    notRetried: (why: string) => `Not tried again. ${why}`,
    checkPost: "Check it",
    changes: (reviewer: string, post: string) => `${reviewer} asked for changes to ${post}`,
    readChanges: "Read them",
    webhook: (url: string) => `The webhook to ${url} was disabled`,
    checkWebhook: "Check it",
  },

  hello: (name: string) => `Hello, ${name}`,
} as const;
