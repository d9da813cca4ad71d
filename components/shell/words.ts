/** The texts around every page of the dashboard. */
export const shellWords = {
  skip: "Skip to the page",
  /** The name of the navigation bar for screen readers. */
  nav: "Main",
  /** Opens the links for which a phone's bar has no room. */
  more: "More",
  signOut: "Sign out",
  /** Collapses the navigation to icons, and opens it again. */
  fold: "Collapse the navigation",
  unfold: "Expand the navigation",

  notices: "Notifications",
  /** Read aloud in place of the name, with the number beside it. */
  unread: (count: number, isMore: boolean) => `Notifications, ${isMore ? "at least " : ""}${count} unread`,
  accountsCount: (count: number) =>
    count === 1 ? "Accounts, 1 needs reconnecting" : `Accounts, ${count} need reconnecting`,

  home: "Home",
  newPost: "New post",
  editPost: "Edit post",
  calendar: "Calendar",
  accounts: "Accounts",
  posts: "Posts",
  library: "Library",
  developers: "Developers",
  developerPages: {
    overview: "Overview",
    applications: "Applications",
    tokens: "Tokens",
    requests: "Requests",
    tryApi: "Try the API",
  },
  settings: "Settings",
  staff: "Staff",
  partners: "Partner console",
  reference: "API reference",

  paused: "Publishing is paused",
  pausedWhat:
    "Nothing is sent to the networks at the moment. Posts that are due wait, and go out as soon as publishing goes on; those that are more than 24 hours late by then are not sent.",
  held: "Publishing is held after a restore",
  heldWhat:
    "Posts that are due may have been published already. The operator looks each of them up on its network before publishing goes on.",
  pausedWhy: (reason: string) => `Reason: ${reason}`,

  palette: {
    /** On the button that opens the palette, and what its field is called. */
    findOrDo: "Search or jump to",
    /** The palette could not be loaded. */
    notLoaded: "Not loaded: try again",

    ctrl: "Ctrl",
    alt: "Alt",
  },
} as const;
