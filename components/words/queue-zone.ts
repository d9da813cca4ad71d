/** The texts of the window that asks whether planned posts go along to a queue's new zone, and of what came of it. */

export const looking = "Looking at what is planned at these times…";
export const couldNotLoad = (why: string) => `Could not load what is planned at these times: ${why}`;

/** The window's title. */
export const title = (moves: number) => {
  if (moves === 0) return "What is planned stays where it is";
  return moves === 1 ? "Move the planned post as well?" : "Move the planned posts as well?";
};
export const found = (count: number, zone: string) =>
  count === 1
    ? `1 planned post stands at this queue’s times as they were in ${zone}.`
    : `${count.toLocaleString("en")} planned posts stand at this queue’s times as they were in ${zone}.`;
/** Behind the sentence before. */
export const keepTheirTime = (count: number, zone: string) =>
  count === 1
    ? `Moved, it keeps its time of day, but in ${zone}.`
    : `Moved, each keeps its time of day, but in ${zone}.`;
export const goElsewhere = (count: number) =>
  count === 1
    ? "1 of them goes to other accounts as well, and moves for those too."
    : `${count} of them go to other accounts as well, and move for those too.`;
/** Of the only one that there is. */
export const itsTimeIsOver = "Its new time is over already, so it stays where it is.";
export const timesAreOver = (count: number) =>
  count === 1
    ? "The new time of 1 of them is over already, so that one stays where it is."
    : `The new times of ${count} of them are over already, so those stay where they are.`;
export const isCut = "More is planned than could be looked at: only the latest 2,000 posts were.";

export const firstOfThem = "The first of them";
export const noText = "No text";
export const now = "Now";
export const movedTo = "Moved";
export const yourClock = "Your clock";

export const move = (count: number) => (count === 1 ? "Move 1 post" : `Move ${count.toLocaleString("en")} posts`);
export const moving = (one: number, of: number) => `Moving ${one} of ${of}…`;
export const leave = (count: number) => (count === 1 ? "Leave it where it is" : "Leave them where they are");
export const stop = "Stop";
/** Read aloud, now and then. */
export const begun = (count: number) =>
  count === 1 ? "Moving 1 post…" : `Moving ${count.toLocaleString("en")} posts…`;
export const someDone = (done: number, of: number) => `${done} of ${of} done.`;

/** `stayed`: those that stay because it was stopped. */
export const moved = (count: number, stayed: number, zone: string) => {
  const what =
    count === 0
      ? "Nothing was moved"
      : count === 1
        ? `1 post moved to ${zone}`
        : `${count.toLocaleString("en")} posts moved to ${zone}`;
  if (stayed === 0) return `${what}.`;
  return stayed === 1 ? `${what}; 1 stays where it was.` : `${what}; ${stayed} stay where they were.`;
};
export const movedBack = (count: number) =>
  count === 1 ? "1 post moved back." : `${count.toLocaleString("en")} posts moved back.`;

/** Above a list of them. */
export const notMoved = (count: number) =>
  count === 1 ? "1 post was not moved:" : `${count.toLocaleString("en")} posts were not moved:`;
export const nobodyKnows = (count: number) =>
  count === 1
    ? "Of 1 post nobody knows whether it was moved:"
    : `Of ${count.toLocaleString("en")} posts nobody knows whether they were moved:`;
export const notMovedOrUnknown = (count: number, unknown: number) =>
  count === 1
    ? `1 post was not moved, and of ${unknown} nobody knows:`
    : `${count.toLocaleString("en")} posts were not moved, and of ${unknown} nobody knows:`;
export const whyNot = "{post}: {why}";
export const whyNotAt = "{post}, {time}: {why}";
export const more = (count: number) => `And ${count} more.`;
