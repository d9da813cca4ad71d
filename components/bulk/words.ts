const schedule = (posts: number) => (posts === 1 ? "Schedule 1 post" : `Schedule ${posts.toLocaleString("en")} posts`);

/** The texts of importing posts from a CSV file. */
export const bulkWords = {
  // Choosing a file.
  csvFile: "CSV file",
  drop: "Drop a CSV file here, or choose one.",
  /** `file` is its name. */
  chosen: "Chosen: {file}",
  choose: "Choose a file",
  chooseAnother: "Choose another file",
  oneAtATime: "Choose one file at a time.",
  sample: "Download a sample",
  columns: "What the columns mean",
  howMany: "One row for each post, at most 500. Nothing is created before you have seen what was read.",
  checking: "Checking every row …",
  creating: "Creating …",

  // The results of a check, separated by commas.
  rowsReady: (count: number) => (count === 1 ? "1 row ready" : `${count.toLocaleString("en")} rows ready`),
  wrong: (count: number) => `${count} wrong`,
  alreadyThere: (count: number) => `${count} already there`,
  leaveOut: (count: number) =>
    count === 1
      ? "Leave out the 1 row that is wrong"
      : `Leave out the ${count.toLocaleString("en")} rows that are wrong`,
  rowsOfFile: "The rows of the file",

  // The button that creates the rows without problems. Drafts are only stored.
  schedule,
  keep: (drafts: number) => (drafts === 1 ? "Keep 1 draft" : `Keep ${drafts.toLocaleString("en")} drafts`),
  scheduleAndKeep: (posts: number, drafts: number) =>
    drafts === 1
      ? `${schedule(posts)} and keep 1 draft`
      : `${schedule(posts)} and keep ${drafts.toLocaleString("en")} drafts`,

  // Why that button is off.
  noneRight: "No row is right yet. Fix them in the file, and choose it again.",
  nothingLeft: (existing: number) =>
    existing === 1
      ? "Nothing is left to create: the row is there already."
      : "Nothing is left to create: all rows are there already.",
  fixFirst: (invalid: number) =>
    invalid === 1
      ? "1 row is wrong. Fix the file and choose it again, or leave it out."
      : `${invalid.toLocaleString("en")} rows are wrong. Fix the file and choose it again, or leave them out.`,

  // The results, separated by commas.
  postsCreated: (count: number) => (count === 1 ? "1 post created" : `${count.toLocaleString("en")} posts created`),
  rowsLeftOut: (count: number) => (count === 1 ? "1 row left out" : `${count.toLocaleString("en")} rows left out`),
  whatCame: "Result of each row",

  // The rows.
  yourClock: (zone: string) => `Times are those of your clock: ${zone}.`,
  headings: ["Row", "When", "Accounts", "Text", "Issues"],
  /** The state of a row, in a word. */
  outcomes: { ready: "Ready", invalid: "Wrong", created: "Created", existing: "Already there" },
  /** Before its number; on a wide screen only read aloud. */
  row: "Row ",
  seeIt: "See it",
  /** Read aloud behind it. */
  ofRow: (row: number) => ` (row ${row})`,
  noTime: "No time",
  draft: " · draft",
  noText: "No text",
  noAccounts: "None",

  // The problems of a row.
  /** Before a warning. */
  note: "Note: ",
  unknownAccount: (name: string | number) => `None of your accounts is called “${name}”. Write it like x:handle.`,
  cannotBeEmpty: "This cannot be empty.",
  sayWhere: "Say where on this account it is to be posted.",
  /** `what` is a sentence without its full stop. */
  unknownMedia: (what: string) => `${what}. Take a file's key from your library, or a public address.`,
  /** In place of the column, for a problem that is not about a column. */
  theRow: "The row",

  // The posts of the file that shows what an import takes; the second shows how a mark of quotation is written.
  sampleText: "The bells ring at nine",
  sampleQuotes: 'They say "ding, dong"',

  page: {
    importPosts: "Import posts",
    importLead: "Many posts at once, from a spreadsheet that is saved as CSV in UTF-8.",
  },
} as const;
