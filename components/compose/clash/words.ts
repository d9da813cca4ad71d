/** The texts of the choice between two versions of one post that was saved twice at the same time. */
export const clashWords = {
  title: "Somebody else saved this post first",
  legend: "{crossedOut} is only in yours, {underlined} only in theirs.",
  crossedOut: "Crossed out",
  underlined: "underlined",
  whatDiffers: "What differs",
  nothingDiffers: "Nothing that this page shows.",
  notPutAside: (why: string) => `Yours could not be put aside: ${why}`,
  writtenOver: "Theirs is written over.",
  keepMine: "Keep mine",
  keepMineAndSave: "Keep mine and save it",
  staysAsDraft: "Yours stays as a draft of its own.",
  takeTheirs: "Take theirs",
  puttingAside: "Putting yours aside…",
  decideLater: "Decide later",
  taken: "This is what they saved. Yours stays as a draft of its own.",
  /** In the place of a file's name. */
  goneFile: "a file that is gone",

  // Read aloud around a change, where eyes see it marked.
  onlyInYours: " only in yours: ",
  onlyInTheirs: " only in theirs: ",
  endOfChange: " (end of the change) ",

  // What differs, as a heading.
  time: "Time",
  whatItIs: "What it is",
  accounts: "Accounts",
  text: "Text",
  files: "Pictures and videos",
  cover: "Cover",
  /** @param accounts those that it differs for, where it is not all of them */
  differsFor: (what: string, accounts: string) => `${what} for ${accounts}`,

  // What each version has there.
  noTime: "none yet",
  draft: "a draft",
  planned: "scheduled",
  none: "none",
  networksChoice: "the network's own choice",
  notSet: "not set",
  seconds: (count: number) => `${count} s`,
  yes: "yes",
  no: "no",
} as const;
