/** The texts of what the staff's pages are made of. */

/** What the ways to the pages are called by readers of the screen. */
export const nav = "Staff";
export const find = "Find";
export const audit = "Audit log";

export const noneFound = "Nothing has this name. Whole addresses, ids and numbers only.";
/** A user that was found, and by which of its names. */
export const foundUser = (how: string) => `A user, found by ${how}`;
export const foundUserAt = (email: string, how: string) => `A user, ${email}, found by ${how}`;
export const schedule = (id: number) => `Schedule ${id}`;
/** How the schedule stands, and by which of its names it was found. */
export const foundSchedule = (state: string, how: string) => `${state}, found by ${how}`;

export const noLines = "Nothing like this is in the log.";
/** Who did something to whom or what; a partner's where it is named. */
export const doneTo = "By {actor} to {subject}";
export const doneToPartners = "By {actor} to {subject} of {partner}";
/** What a line of the audit log says besides; a value follows each. */
export const details: { [name: string]: string } = {
  ownerId: "of the user",
  userId: "of the user",
  platform: "network",
  oldSecretEnded: "the old secret was ended",
};

/** Which versions of networks' APIs are spoken, and until when. */
export const versions = "API versions";
export const versionsHow = (day: string) =>
  `As of ${day}. From 90 days before an end this page and the home page of the staff say what to do.`;
export const versionsHead = ["Network", "Version", "Ends on"];
export const noEnd = "not announced";
