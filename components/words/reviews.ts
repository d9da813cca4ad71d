/** The texts of feedback on a post: what the dashboard shows of it, and what somebody with a link is shown. */

/** What somebody who was asked may say. */
export const verdicts = { APPROVED: "Approved", CHANGES_REQUESTED: "Asks for changes" } as const;

// In the dashboard.
export const feedback = "Feedback";
export const couldNotLoad = (why: string) => `Could not load what was said: ${why}`;
/** `names` are those of people, as a list. */
export const wantChanges = (names: string) => `${names} asked for changes.`;
export const wantChangesAndGoesOut = (names: string) =>
  `${names} asked for changes. It goes out at its time all the same.`;
export const approvedBy = (names: string) => `Approved by ${names}, as it is now.`;
export const approvedEarlier = (names: string) => `${names} approved an earlier version. You have changed it since.`;
/** Behind a name; a verdict, for example "Approved". */
export const verdict = (says: string) => ` · ${says}`;
export const closed = " · closed";
export const approvalOfEarlier = "This approval was given for an earlier version.";
export const saidOfEarlier = "Said of an earlier version.";
export const youAnswered = "You answered";
export const answer = "Answer";
export const changeAnswer = "Change your answer";
/** Read aloud behind either of the two before. */
export const answerTo = (name: string) => ` to ${name}`;
export const close = "Close it";
export const open = "Open it again";
/** Read aloud behind either of the two before. */
export const whatWasSaid = (name: string) => `: what ${name} said`;
export const notKept = (why: string) => `Not kept: ${why}`;
export const writeAnswer = "Write an answer.";
export const yourAnswer = "Your answer";
export const whoReads = "Whoever has the link that it was said by can read it.";
export const send = "Send";
export const sending = "Sending…";
export const leave = "Leave it";

// The links by which people are asked.
export const share = "Share for feedback";
export const shareMeans =
  "Whoever has the link sees the post as each network will show it, without an account, and can comment, approve or ask for changes.";
export const worksFor = "The link works for";
export const days = (count: number) => (count === 1 ? "a day" : `${count} days`);
export const makeLink = "Make a link";
export const making = "Making…";
export const noLink = (why: string) => `No link was made: ${why}`;
export const yourLink = "Your link, shown only now:";
/** Read aloud behind an address. */
export const newTab = " (opens in a new tab)";
export const links = "Links";
export const ended = (when: string) => `Ended ${when}`;
export const worksUntil = (when: string) => `Works until ${when}`;
export const made = (when: string) => `made ${when}`;
export const remove = "Remove";
export const revoke = "Revoke";
/** Read aloud behind either of the two before. */
export const linkMade = (when: string) => ` the link made ${when}`;
export const notRevoked = (why: string) => `Not revoked: ${why}`;
