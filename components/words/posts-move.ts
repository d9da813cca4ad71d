/** Moving a post to another time, in the calendar and on its page: the button, and what is said when it is done. */

export const moveTo = "Move to…";
/** Read aloud, for a button that shows a sign alone. */
export const moveText = (text: string) => `Move “${text}” to another time`;
/** Stands there for a post without a text. */
export const thisPost = "this post";

export const isOver = "That time is over. The post stays where it was.";
export const notMoved = (why: string) => `Not moved: ${why}`;
export const moved = (time: string) => `Moved to ${time}.`;
export const movedBack = "Moved back.";
