/** The texts of the first page after signing in. */

export const couldNotLoad = (why: string) => `Could not load your dashboard: ${why}`;
export const loading = "Loading";
export const upcoming = "Upcoming";
export const drafts = "Drafts";
export const recent = "Recent";
export const nothingScheduled = "Nothing is scheduled.";
export const writeNext = "Write the next post";
export const nothingYet = "Nothing has gone out yet.";

export const checklist = "Your first post, in four steps";
/** Read aloud behind a step's title. */
export const done = " (done)";
export const connect = "Connect an account";
export const connectSimulated =
  "Start with a simulated one: it behaves like the real network and needs nobody's approval.";
export const connectReal = "You decide on the network's own page what Carillon may do.";
export const write = "Write a post";
export const writeHow = "One text and a picture, for every account you choose.";
export const schedule = "Schedule it";
export const scheduleHow = "Your draft is waiting. Pick a time, or send it now.";
export const goOn = "Go on with your draft";
export const published = "See it published";
export const publishedHow = "When its time comes, each account turns to “Published” with a link to the post.";
export const watch = "Watch your posts";
