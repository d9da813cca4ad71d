/** The texts of the pages that somebody with a review link sees. */

export const title = "Preview of a post";
export const planned = (when: string, until: string) => `Planned for ${when}. This link works until ${until}.`;
export const notPlanned = (until: string) => `Not planned yet. This link works until ${until}.`;
export const noAccount = "It is for no account yet.";
export const filesMissing = (count: number) => `${count} of its files cannot be shown yet.`;
export const wouldNotGoOut = (why: string) => `As it is, it would not go out: ${why}`;
/** Behind an account's name. */
export const onNetwork = (network: string) => `on ${network}`;
export const publicationName = (network: string, account: string) => `${network}, ${account}`;

export const whatYouThink = "What do you think?";
export const thanks = "Thank you. It was passed on.";
export const isOut = "This post is out or on its way, so nothing can be said of it here any more.";
export const hasChanged = "The post has changed since.";
export const answer = "Answer";
export const yourName = "Your name";
export const yourComment = "Your comment";
export const mayBeEmpty = "You may leave it empty when you approve.";
export const approve = "Approve";
export const askForChanges = "Ask for changes";
export const onlyComment = "Only comment";
export const seenAtOnce = "Whoever sent you this link sees it at once. It keeps nothing from being published.";

// Where a link shows nothing.
export const noPreview = "No preview";
export const showsNothing = "This link shows nothing";
export const showsNothingMore = "This link shows nothing any more";
export const hasEnded = "It was made to work for a time, which is over. Ask whoever sent it to you for another one.";
export const isUnknown = "It may be mistyped or cut off, it may have been taken back, or the post was deleted.";
// Where what was written could not be kept.
export const notPassedOn = "Not passed on";
export const wasNotPassedOn = "This was not passed on";
/** One of the reasons. */
export const problem = (why: string) => `${why}.`;
export const goBack = "Go back in your browser: what you wrote is still there.";
