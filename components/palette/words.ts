const counted = (count: number) => (count === 1 ? "1 result" : `${count} results`);

/** The texts of the palette, and of the list of keyboard shortcuts. */
export const paletteWords = {
  placeholder: "Page, post, account, file…",
  /** Read aloud: what the list below the field is. */
  list: "Results",

  groups: { actions: "Do", places: "Go to", calendar: "Calendar" },

  // Commands, and the other words that find them.
  write: "New post",
  writeAlso: "write compose create",
  connect: "Connect an account",
  connectAlso: "add network channel",
  addFiles: "Add pictures or videos",
  addFilesAlso: "upload files media",
  duplicates: "Find duplicates",
  duplicatesAlso: "same text posts merge bulk twice",
  importPosts: "Import posts",
  importAlso: "csv file spreadsheet bulk",
  exportPosts: "Export posts",
  exportAlso: "csv file download",
  keys: "Keyboard shortcuts",
  keysAlso: "keys help hotkeys",
  signOut: "Sign out",
  signOutAlso: "log out leave",

  developersAlso: "developers",
  feeds: "Feeds",
  feedsAlso: "RSS Atom blog podcast news articles import",
  applications: "Connected applications",
  applicationsAlso: "apps access permissions revoke OAuth",
  webhooks: "Webhooks",
  events: "Events",
  eventsAlso: "events log developers webhooks",
  staffAlso: "staff",
  referenceAlso: "docs documentation",

  today: "Today in the calendar",
  /** `view` is Month, Week, Day or List. */
  calendarView: (view: string) => `Calendar: ${view.toLowerCase()}`,
  viewAlso: "show view",
  /** Beside a key that does the same there. */
  inCalendar: "in the calendar",

  // What was found.
  accounts: "Accounts",
  posts: "Posts",
  files: "Files",
  noText: "No text",
  noTimeYet: (state: string) => `${state} · no time yet`,
  /** Before anything is typed. */
  commands: (count: number) => `${count} commands. Type to find a post, an account or a file too.`,
  looking: "Looking…",
  /** More results may follow. */
  soFar: (count: number) => `${counted(count)} so far.`,
  results: (count: number) => `${counted(count)}.`,
  notSearched: (count: number, why: string) => `${counted(count)}. Your posts could not be searched: ${why}`,
  notRead: (count: number) => `${counted(count)}. Some results could not be loaded: check your connection.`,
  nothingFound: "Nothing found.",

  keyList: {
    title: "Keyboard shortcuts",
    close: "Close",
    singleKeys: "Use keys without Ctrl",
    singleKeysHint:
      "Never while you type. Switch them off if dictation or stray key presses trigger them. For this browser only.",

    // Keys as they are written on keyboards.
    enter: "Enter",
    esc: "Esc",
    shift: "Shift",

    // Keys as they are read aloud.
    ctrlSpoken: "Control or Command",
    escSpoken: "Escape",
    questionMark: "Question mark",
    slash: "Slash",
    left: "Left arrow",
    right: "Right arrow",
    up: "Up arrow",
    down: "Down arrow",

    // Where keys do something, and what they do there.
    everywhere: "Everywhere",
    open: "Search or jump to",
    list: "This list",
    leave: "Close what is open and return to where you were",
    calendar: "In the calendar",
    today: "Today",
    views: "Month, week, day, list",
    days: "Another day, another week",
    move: "Move the selected post",
    undo: "Undo a move, for ten seconds",
    posts: "In Posts",
    searchPosts: "Search",
    rows: "Next row, previous row",
    select: "Select the row, or up to the row",
    edit: "Edit the post",
    writing: "While you write",
    send: "Schedule or send",
    sendNow: "Post now",
    pickTime: "Pick a time",
    versions: "The text of all accounts, the texts of the networks",
    addPart: "Add a part to the thread",
    movePart: "Move this part up or down",
  },
} as const;
