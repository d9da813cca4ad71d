/** The texts of two versions of one post, where somebody else has saved it meanwhile, and of the choice between them. */

export const title = "Somebody else saved this post first";
export const legend = "{crossedOut} is only in yours, {underlined} only in theirs.";
export const crossedOut = "Crossed out";
export const underlined = "underlined";
export const whatDiffers = "What differs";
export const nothingDiffers = "Nothing that this page shows.";
export const notPutAside = (why: string) => `Yours could not be put aside: ${why}`;
export const writtenOver = "Theirs is written over.";
export const keepMine = "Keep mine";
export const keepMineAndSave = "Keep mine and save it";
export const staysAsDraft = "Yours stays as a draft of its own.";
export const takeTheirs = "Take theirs";
export const puttingAside = "Putting yours aside…";
export const decideLater = "Decide later";
export const taken = "This is what they saved. Yours stays as a draft of its own.";
/** In the place of a file's name. */
export const goneFile = "a file that is gone";

// Read aloud around a change, where eyes see it marked.
export const onlyInYours = " only in yours: ";
export const onlyInTheirs = " only in theirs: ";
export const endOfChange = " (end of the change) ";

// What differs, as a heading.
export const time = "Time";
export const whatItIs = "What it is";
export const accounts = "Accounts";
export const text = "Text";
export const files = "Pictures and videos";
export const cover = "Cover";
/** @param accounts those that it differs for, where it is not all of them */
export const differsFor = (what: string, accounts: string) => `${what} for ${accounts}`;

// What each version has there.
export const noTime = "none yet";
export const draft = "a draft";
export const planned = "planned";
export const none = "none";
export const networksChoice = "the network's own choice";
export const notSet = "not set";
export const yes = "yes";
