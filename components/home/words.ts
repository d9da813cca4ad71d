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
  connectSimulated: "Start with a simulated one: it behaves like the real network and needs nobody's approval.",
  connectReal: "You decide on the network's own page what Carillon may do.",
  write: "New post",
  writeHow: "One text and a picture, for every account you choose.",
  schedule: "Schedule it",
  scheduleHow: "Your draft is waiting. Pick a time, or send it now.",
  goOn: "Go on with your draft",
  published: "See it published",
  publishedHow: "When its time comes, each account turns to “Published” with a link to the post.",
  watch: "Watch your posts",

  hello: (name: string) => `Hello, ${name}`,
} as const;
