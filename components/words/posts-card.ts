/** What the card of a post says in lists, in the calendar and on the first page, and the line of each of its accounts. */

/** Stands where a post has no text. */
export const noText = "No text";
/** Stands where a draft has no time. */
export const noTime = "No time yet";
/** Read aloud: what the lines of a card are. */
export const accounts = "Accounts";

/** Stands where the name of an account would. */
export const disconnected = "a disconnected account";
/** A link to the post on its network. */
export const seePost = "See the post";
/** The same, where there are several of one account. */
export const post = (number: number) => `Post ${number}`;
/** Read aloud behind each of the two. */
export const ofAccount = (account: string, network: string) => ` of ${account} on ${network} (opens in a new tab)`;
export const unknown = (network: string) =>
  `${network} never told us whether the post went out. Look there before you send it again: Carillon will not repeat it by itself.`;
