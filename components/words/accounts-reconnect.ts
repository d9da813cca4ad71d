/** What is said of accounts that have to be connected again, on the first page and on the page of accounts. */

/** Read aloud: the list of them. */
export const needsYou = "Needs you";
export const waits = (account: string, network: string, since: string) =>
  `${account} on ${network} has needed you since ${since}. What is scheduled for it waits.`;
export const reconnect = "Reconnect";
export const reconnectOne = (account: string) => `Reconnect ${account}`;
