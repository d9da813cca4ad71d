/** The names of the pages for developers, in the bar above each of them and in the palette. */

/** What the bar is called by readers of the screen. */
export const developers = "Developers";
export const overview = "Overview";
export const applications = "Applications";
export const tokens = "Tokens";
export const requests = "Requests";
export const tryApi = "Try the API";
