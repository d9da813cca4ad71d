/** Accounts that a bot posts for: how it is begun, and where it may post. */
import type { DestinationProblem } from "@/lib/networks";

// The talk with the bot. "Start" is what its own app has on the button.
export const open =
  "Open the bot with the button below. The link carries a code of yours, works once, and for 15 minutes.";
export const press = "In {network}, press {start}.";
export const start = "Start";
export const comeBack = "Come back here. The next page adds your channels and groups.";
export const waiting = "Waiting for you to press Start…";
export const openNetwork = (network: string) => `Open ${network}`;
export const haveDone = "I have done this";
export const isInUse = (network: string) =>
  `This ${network} account was already used by another user of this service. Have it disconnected there first, or start again from another ${network} account.`;
export const isOver = "This link is no longer good: it works once, for 15 minutes. Nothing was connected.";
export const quoteCode = "If you ask for help, quote this code: {code}";
export const startAgain = "Start again";

export const whereTo = "Where it can post";
export const nowhere = "Nowhere yet. What you add shows up here by itself.";
/** What is wrong, and what its owner does about it. */
export const problems: { [problem in DestinationProblem]: string } = {
  REMOVED: "The bot is not in it any more. Add it again with the button below.",
  NO_RIGHT: "The bot may not post there. Open its administrators, choose the bot and switch on “Post messages”.",
};
export const add = "Add one more";
export const howToAdd =
  "In a channel the bot has to be an administrator who may post messages; in a group it is enough that it is in. A chat that you added it to before it knew you: take it out and add it again.";
export const addChannel = "Add to a channel";
export const addGroup = "Add to a group";
export const noAnswer = (network: string) => `${network} does not answer just now. Load this page again in a moment.`;
export const back = "Back to your accounts";
export const write = "Write a post";
