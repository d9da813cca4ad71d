/** `5,214` */
const counted = (count: number) => count.toLocaleString("en");

/** The texts of the table of posts, apart from words.ts, which is part of the calendar's script. */
export const tableWords = {
  // The second line of a row.
  textOnly: "Text only",
  thread: (posts: number) => `Thread of ${posts}`,
  posts: (posts: number) => `${posts} posts`,
  poll: (choices: number) => `Poll, ${choices} choices`,
  /** By the value of the setting `publicationType`. */
  kinds: { STORY: "Story", REELS: "Reel" } as { [type: string]: string | undefined },
  accounts: (count: number) => (count === 1 ? "1 account" : `${count} accounts`),

  // The reason of a state.
  /** Of a draft with a time. */
  notScheduled: "Not scheduled yet",
  needsReconnecting: (network: string) => `${network} needs reconnecting`,
  failsUnless: (network: string) => `${network} needs reconnecting. Otherwise this post fails when its time comes.`,
  notOn: (networks: string) => `Not on ${networks}`,
  publishedTo: (done: number, all: number) => `${done} of ${all === 1 ? "1 account" : `${all} accounts`}`,

  // What a row offers.
  tryAgain: "Try again",
  tryingAgain: "Trying…",
  /** For a post whose outcome is unknown. */
  check: "Check it",
  reconnect: "Reconnect",
  reconnectAndPublish: "Reconnect and publish",
  /** Read aloud behind the words of a button. */
  ofPost: (text: string) => ` “${text}”`,
  isGoingOut: "Reconnected. The post goes out now.",
  isReconnected: (network: string) => `${network} is connected again.`,
  notTriedAgain: (why: string) => `Not tried again: ${why}`,

  tabsLabel: "Posts by state",
  tabs: {
    all: "All",
    scheduled: "Scheduled",
    drafts: "Drafts",
    proposed: "Proposed",
    published: "Published",
    attention: "Needs attention",
  },
  /** More than the API counts. */
  tenThousand: "10k+",

  search: "Search the text",
  searchHint: "Search text or links",
  network: "Network",
  account: "Account",
  time: "Time",
  sort: "Order",
  anyNetwork: "All networks",
  anyAccount: "All accounts",
  anyTime: "Any time",
  clearOne: (name: string) => `Clear ${name}`,
  clear: "Clear the filters",
  spans: {
    today: "Today",
    week: "This week",
    next7: "Next 7 days",
    month: "This month",
    last30: "Last 30 days",
  },
  sorts: { near: "Today first", earliest: "Earliest first", latest: "Latest first" },

  columns: { time: "Time", post: "Post", accounts: "Accounts", state: "State" },
  noTimeYet: "No time yet",
  day: (name: string, date: string) => `${name}, ${date}`,
  today: "Today",
  tomorrow: "Tomorrow",
  yesterday: "Yesterday",

  shown: (shown: string, all: string) => `1–${shown} of ${all}`,
  /** Read aloud when the list has changed. */
  found: (count: string) => (count === "1" ? "1 post" : `${count} posts`),
  showMore: (count: number) => `Show ${count} more`,
  loadingMore: "Loading…",

  nothingMatches: "No posts match",
  filteredBy: (filters: string) => `You see only posts with ${filters}.`,
  withText: (text: string) => `the text “${text}”`,
  withNetwork: (name: string) => `the network ${name}`,
  withAccount: (name: string) => `the account ${name}`,
  withTime: (span: string) => `the time “${span}”`,
  nothingIn: {
    all: { title: "Nothing scheduled yet", text: "Write something now, or fill the week from your drafts." },
    scheduled: { title: "Nothing is scheduled", text: "Write something now, or give a draft a time." },
    proposed: { title: "No proposed posts", text: "Posts that AI agents propose wait here for your approval." },
    drafts: { title: "No drafts", text: "A new post is saved as a draft while you write it." },
    published: { title: "Nothing has been published yet", text: "Posts appear here once they are out." },
    attention: {
      title: "Nothing needs your attention",
      text: "Failed posts and posts of accounts that need reconnecting appear here.",
    },
  },

  // Selecting and changing several.
  select: (text: string) => `Select “${text}”`,
  selectAll: (count: number) => (count === 1 ? "Select the post shown" : `Select the ${counted(count)} posts shown`),
  /** Selects the posts of the pages that are not shown yet, too. */
  selectRest: (count: string) => `Select all ${count}`,
  loadingRest: (loaded: string, all: string) => `Loading ${loaded} of ${all}…`,
  restNotLoaded: (why: string) => `Not all posts were selected. ${why}`,
  bar: "Selected posts",
  selected: (count: number) => `${counted(count)} selected`,
  move: "Move",
  retry: "Try again",
  duplicate: "Duplicate",
  remove: "Delete",
  clearSelection: "Clear the selection",
  stop: "Stop",
  busy: {
    move: (tried: number, all: number) => `Moving ${counted(tried)} of ${counted(all)}…`,
    retry: (tried: number, all: number) => `Trying ${counted(tried)} of ${counted(all)} again…`,
    duplicate: (tried: number, all: number) => `Duplicating ${counted(tried)} of ${counted(all)}…`,
    remove: (tried: number, all: number) => `Deleting ${counted(tried)} of ${counted(all)}…`,
    undo: (tried: number, all: number) => `Undoing ${counted(tried)} of ${counted(all)}…`,
  },
  done: {
    move: (count: number) => `${counted(count)} moved`,
    retry: (count: number) => `${counted(count)} being published again`,
    duplicate: (count: number) => `${counted(count)} duplicated as drafts`,
    remove: (count: number) => `${counted(count)} deleted`,
    undo: (count: number) => `${counted(count)} undone`,
  },
  notDone: (count: number) => `${counted(count)} not`,
  /** Behind it, if none was done. */
  actions: { move: "moved", retry: "tried again", duplicate: "duplicated", remove: "deleted", undo: "undone" },
  andMore: (count: number) => `And ${counted(count)} more.`,
  untried: (count: number) => `${counted(count)} not tried`,
  cannot: {
    move: "It has been published, or has no time yet.",
    remove: "It has begun to go out.",
    retry: "Nothing of it has failed.",
  },
  close: "Close",

  removeMany: {
    title: (count: number) => `Delete ${counted(count)} posts?`,
    hint: "While this page stays open, you can bring back drafts and scheduled posts.",
    action: "Delete",
    leave: "Cancel",
  },

  moveMany: {
    title: (count: number) => (count === 1 ? "Move 1 post" : `Move ${counted(count)} posts`),
    by: "By",
    to: "To",
    byHint: "Each post moves by the same time.",
    toHint: "The earliest post moves to this time. The others keep their distance from it.",
    amount: "How much",
    unit: "Days or hours",
    days: "days",
    hours: "hours",
    later: "later",
    earlier: "earlier",
    direction: "Later or earlier",
    action: "Move",
    leave: "Cancel",
  },

  // The menu of a row.
  more: (text: string) => `More for “${text}”`,
  menu: "Actions",
  open: "Open",
  edit: "Edit",
  moveTo: "Move to…",
} as const;
