/** The texts of the settings: which notices come, when they wait, and of an address that nobody has confirmed. */

/** `email` is the address; `where` is one of the two below, the first as a link. Stands above every page. */
export const confirmAddress =
  "Please confirm {email} by the link that we sent {where}. Until then you get no notices by mail.";
export const toYourMail = "to your mail here";
export const there = "there";
export const sendAgain = "Send again";

export const loading = "Loading your choices";
export const couldNotLoad = (why: string) => `Could not load your choices: ${why}`;
export const writesAbout = "What Carillon writes to you about";
export const notKept = (why: string) => `Not kept: ${why}`;
export const kept = "Kept.";

export const quietHours = "Quiet hours";
export const quietFromTo = (from: string, to: string, zone: string) => `Quiet from ${from} to ${to}, ${zone}.`;
export const noneYet = "None yet.";
export const quietMeans =
  "What would come in them comes at their end; nothing is left out. A new password is never held back.";
export const from = "From";
export const to = "To";
export const timeZone = "Time zone";
export const giveTime = "Give the time.";
export const sameTime = "They begin and end at the same time.";
export const keepThese = "Keep these";
export const begin = "Begin quiet hours";
export const end = "End quiet hours";
