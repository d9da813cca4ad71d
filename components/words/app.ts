/** The texts of the frame that all pages stand in, and of pages that are none. */

export const brand = "Carillon";
export const claim = "Write once, ring every network.";
/** What a window or tab is called; `name` is the brand, or a partner's. */
export const windowTitle = (title: string, name: string) => `${title} · ${name}`;

export const notLoaded = "This page did not load";
export const notLoadedWhy = "Something went wrong on our side. Nothing that you scheduled is affected.";
export const tryAgain = "Try again";

export const nothingHere = "There is nothing here";
export const nothingHereWhy = "The address may be mistyped, or the post was deleted.";
export const goHome = "Go home";

/** The title of a page that a link shows to somebody without an account. */
export const sharedPreview = "Preview of a post";
export const formUnread = "This form could not be read";
export const formFromElsewhere = "This form came from another site";
