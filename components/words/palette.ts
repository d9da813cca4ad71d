/** The texts of the palette: what it offers, and what it says of what it found. */
import type { Group } from "../palette/commands";

export const placeholder = "Page, post, account, file…";
/** Read aloud: what the list below the field is. */
export const list = "What there is";

export const groups: { [group in Group]: string } = { deeds: "Do", places: "Go to", calendar: "Calendar" };

// Commands, and by what other words people look for them.
export const write = "Write a post";
export const writeAlso = "new compose create";
export const connect = "Connect an account";
export const connectAlso = "add network channel";
export const addFiles = "Add pictures or videos";
export const addFilesAlso = "upload files media";
export const duplicates = "Find duplicates";
export const duplicatesAlso = "same text posts merge bulk twice";
export const importPosts = "Import posts";
export const importAlso = "csv file spreadsheet bulk";
export const exportPosts = "Export posts";
export const exportAlso = "csv file download";
export const keys = "Keyboard shortcuts";
export const keysAlso = "keys help hotkeys";
export const signOut = "Sign out";
export const signOutAlso = "log out leave";

export const developersAlso = "developers";
export const webhooks = "Webhooks";
export const events = "What has happened";
export const eventsAlso = "events log developers webhooks";
export const staffAlso = "staff";
export const referenceAlso = "docs documentation";

export const today = "Today in the calendar";
/** `view` is Month, Week, Day or List. */
export const calendarView = (view: string) => `Calendar: ${view.toLowerCase()}`;
export const viewAlso = "show view";
/** Beside a key that does the same there. */
export const inCalendar = "in the calendar";

// What was found.
export const accounts = "Accounts";
export const posts = "Posts";
export const allFiles = "Files, among all of yours";
export const newestFiles = (count: number) => `Files, among the newest ${count}`;
export const noText = "No text";
export const noTimeYet = (state: string) => `${state} · no time yet`;

const counted = (count: number) => (count === 1 ? "1 result" : `${count} results`);
/** Before anything is typed. */
export const commands = (count: number) => `${count} commands. Type to find a post, an account or a file too.`;
export const looking = "Looking…";
/** More may come. */
export const soFar = (count: number) => `${counted(count)} so far.`;
export const results = (count: number) => `${counted(count)}.`;
export const notSearched = (count: number, why: string) =>
  `${counted(count)}. Your posts could not be searched: ${why}`;
export const notRead = (count: number) =>
  `${counted(count)}. Some of your things could not be read: check your connection.`;
export const nothingFound = "Nothing found.";
