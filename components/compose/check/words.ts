const number = (count: number) => count.toLocaleString("en");
const counted = (count: number, unit: string) => (count === 1 ? `1 ${unit}` : `${number(count)} ${unit}s`);

/** The texts of problems in the composer, and of the buttons that fix them. */
export const composeCheckWords = {
  /** In a thread, before the problem of one part. */
  inPart: (part: number, problem: string) => `Part ${part}: ${problem}`,

  // The problems.
  chooseAccount: "Choose at least one account.",
  writeSomething: "Write something or add a picture.",
  filesUnderWay: "Files are still being uploaded.",
  coverUnderWay: "A cover is still being uploaded.",
  coverFailed: "A cover did not upload. Choose it again or leave it out.",
  fileFailed: "A file did not upload. Try it again or remove it.",
  lookingUpPlaces: (network: string) => `Looking up where this ${network} account can post.`,
  noPlaces: (network: string) => `This ${network} account has nowhere to post yet. Add a place under Accounts.`,
  doesNotSay: (network: string, why: string) => `${network} does not say what this account may choose: ${why}`,
  asking: (network: string) => `Asking ${network} what this account may choose.`,
  notOffered: (network: string, setting: string, choice: string) =>
    `${setting}: ${network} does not offer ${choice} to this account.`,
  noSlot: "There is no free time to take.",
  noTime: "Pick a date and a time.",
  timePassed: "The time you picked has passed.",
  noPlace: "Choose where to post.",
  notSet: (field: string) => `“${field}” is required.`,
  /** @param field what the text is: "The text", "Title" */
  noText: (field: string) => `${field} is needed.`,
  tooLong: (field: string, over: number, unit: "byte" | "character", network: string) =>
    `${field} for ${network} is ${counted(over, unit)} too long.`,
  altTextTooLong: (file: string, over: number, network: string, most: number) =>
    `The alt text of ${file} is ${counted(over, "character")} too long: ${network} takes ${number(most)}.`,
  /** In the place of a file's name. */
  theFile: "the file",

  // What the button beside a problem does.
  leaveAccountOut: "Remove this account",
  chooseAccounts: "Choose accounts",
  write: "Write",
  goToFiles: "Go to the files",
  goToText: "Go to the text",
  goTo: (field: string) => `Go to “${field}”`,
  postNow: "Post it now",
  pickTime: "Pick a time",
  pickAnother: "Pick another",
  choosePlace: "Choose a place",
  onlyPlace: "Use its only place",
  cutToFit: "Shorten it",
  shortenAltText: "Shorten the alt text",
  /** Angle brackets, which YouTube refuses. */
  removeThem: "Remove them",
  leaveSectionOut: "Leave the section out",
  sendFirst: (count: number) => `Keep the first ${count} files`,
  /** For a change without a description. */
  fixIt: "Fix it",
  splitIntoThread: (parts: number) => `Split into a thread of ${parts}`,
  splitIntoMessages: "Split into several messages",
  sendFirstFile: "Keep the first file",
  sendTextAlone: "Send the text alone",
  addPicture: "Add a picture",
  addVideo: "Add a video",
  addPictureOrVideo: "Add a picture or video",
  /** @param kind as the network calls it: "reels", "story" */
  publishAs: (kind: string) => `Publish as ${kind}`,
  cropTo: (ratio: string) => `Crop to ${ratio}`,
  leaveVideosOut: "Leave the videos out",
  leavePicturesOut: "Leave the pictures out",
  leaveFileOut: (file: string) => `Leave ${file} out`,
  removePart: (part: number) => `Remove part ${part}`,
} as const;
