/** The texts of importing posts from a CSV file. */

// Choosing a file.
export const csvFile = "CSV file";
export const drop = "Drop a CSV file here, or choose one.";
/** `file` is its name. */
export const chosen = "Chosen: {file}";
export const choose = "Choose a file";
export const chooseAnother = "Choose another file";
export const oneAtATime = "One file at a time, please.";
export const sample = "Download a sample";
export const columns = "What the columns mean";
export const howMany = "One row for each post, at most 500. Nothing is created before you have seen what was read.";
export const checking = "Checking every row …";
export const creating = "Creating …";

// What a check found, with commas between where it is more than one.
export const rowsReady = (count: number) => (count === 1 ? "1 row ready" : `${count.toLocaleString("en")} rows ready`);
export const wrong = (count: number) => `${count} wrong`;
export const alreadyThere = (count: number) => `${count} already there`;
export const leaveOut = (count: number) =>
  count === 1 ? "Leave out the 1 row that is wrong" : `Leave out the ${count.toLocaleString("en")} rows that are wrong`;
export const rowsOfFile = "The rows of the file";

// The button that creates what is ready: drafts are only kept.
export const schedule = (posts: number) =>
  posts === 1 ? "Schedule 1 post" : `Schedule ${posts.toLocaleString("en")} posts`;
export const keep = (drafts: number) => (drafts === 1 ? "Keep 1 draft" : `Keep ${drafts.toLocaleString("en")} drafts`);
export const scheduleAndKeep = (posts: number, drafts: number) =>
  drafts === 1
    ? `${schedule(posts)} and keep 1 draft`
    : `${schedule(posts)} and keep ${drafts.toLocaleString("en")} drafts`;

// Why that button is off.
export const noneRight = "No row is right yet. Mend them in the file, and choose it again.";
export const nothingLeft = (existing: number) =>
  existing === 1
    ? "Nothing is left to create: the row is there already."
    : "Nothing is left to create: all rows are there already.";
export const mend = (invalid: number) =>
  invalid === 1
    ? "1 row is wrong. Mend the file and choose it again, or leave it out."
    : `${invalid.toLocaleString("en")} rows are wrong. Mend the file and choose it again, or leave them out.`;

// What came of it, with commas between where it is more than one.
export const postsCreated = (count: number) =>
  count === 1 ? "1 post created" : `${count.toLocaleString("en")} posts created`;
export const rowsLeftOut = (count: number) =>
  count === 1 ? "1 row left out" : `${count.toLocaleString("en")} rows left out`;
export const whatCame = "What came of each row";

// The rows.
export const yourClock = (zone: string) => `Times are those of your clock: ${zone}.`;
export const headings = ["Row", "When", "Accounts", "Text", "What is in the way"];
/** The state of a row, in a word. */
export const outcomes = { ready: "Ready", invalid: "Wrong", created: "Created", existing: "Already there" };
/** Before its number; on a wide screen only read aloud. */
export const row = "Row ";
export const seeIt = "See it";
/** Read aloud behind it. */
export const ofRow = (row: number) => ` (row ${row})`;
export const noTime = "No time";
export const draft = " · draft";
export const noText = "No text";
export const noAccounts = "None";

// What is in the way of a row.
/** Before what keeps nobody from going on. */
export const note = "Note: ";
export const unknownAccount = (name: string | number) =>
  `None of your accounts is called “${name}”. Write it like x:handle.`;
export const cannotBeEmpty = "This cannot be empty.";
export const sayWhere = "Say where on this account it is to be posted.";
/** `what` is a sentence without its full stop. */
export const unknownMedia = (what: string) => `${what}. Take a file's key from your library, or a public address.`;
/** What a problem is said of where it is no column. */
export const theRow = "The row";

// The posts of the file that shows what an import takes; the second shows how a mark of quotation is written.
export const sampleText = "The bells ring at nine";
export const sampleQuotes = 'They say "ding, dong"';
