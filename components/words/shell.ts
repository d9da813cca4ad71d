/** The texts around every page of the dashboard: the ways to its places, the way out, and what holds everywhere. */

export const skip = "Skip to the page";
/** What the bar with the ways to the places is called by readers of the screen. */
export const nav = "Main";
/** Unfolds the places that have no room in the bar of a phone. */
export const more = "More";
export const signOut = "Sign out";

export const home = "Home";
export const write = "Write";
export const calendar = "Calendar";
export const accounts = "Accounts";
export const posts = "Posts";
export const media = "Media";
export const developers = "Developers";
export const settings = "Settings";
export const staff = "Staff";
export const partners = "Partners";
export const reference = "API reference";

export const paused = "Publishing is paused";
export const pausedWhat =
  "Nothing is sent to the networks at the moment. Posts that are due wait, and go out as soon as publishing goes on; those that are more than 24 hours late by then are not sent.";
export const pausedWhy = (reason: string) => `Reason: ${reason}`;
