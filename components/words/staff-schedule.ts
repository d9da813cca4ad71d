/** The texts of a schedule as the staff sees it: what is sent for it, what became of it, and links to its preview. */

export const publication = (id: number, state: string) => `Publication ${id}: ${state}`;
export const nothingTried = "Nothing was tried yet.";
/** `time`: "28 Jul 2025, 10:00:00 UTC" */
export const nextLook = (time: string) => `Next look ${time}`;

/** Names of files that are not stored, or not yet. */
export const missing = (files: string) => `Not there (yet): ${files}`;
/** The id of a channel, Page or board. */
export const goesTo = "Goes to {destination}";
export const wouldFail = (problem: string) => `As it is, it would not go out: ${problem}`;
/** Unfolds the requests that are sent to the network. */
export const sent = (count: number) =>
  count === 1 ? "What is sent (one request)" : `What is sent (${count} requests)`;
export const makesPublic = "This one makes it public.";

/** How many days a link to the preview is good. */
export const worksFor = "It works for";
export const days = (count: number) => (count === 1 ? "a day" : `${count} days`);
export const makeLink = "Make a link";

/** The page with the link that was made. */
export const copyLink = "Copy the link";
export const whoSees = (until: string) =>
  `Whoever has it sees the preview, without an account, until ${until}. It cannot be taken back before, so give it to nobody else.`;
export const link = "Link";
export const open = "Open it";
export const back = "Back to the schedule";

/** The page of a link that shows nothing. */
export const noPreview = "No preview";
export const showsNothing = "This link shows nothing";
export const showsNothingWhy = "It may be mistyped or cut off, or the post was deleted.";
/** The same of one that was good for a time. */
export const showsNoMore = "This link shows nothing any more";
export const showsNoMoreWhy =
  "It was made to work for a time, which is over. Ask whoever sent it to you for another one.";
