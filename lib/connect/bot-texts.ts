import type { Profile } from "../networks";
import type { ConnectFailure } from "./failure";

const MAX_NAME = 40;

/**
 * A name as part of the bot's sentence: one line of letters, digits, spaces and a few marks, at most 40 characters. The
 * person who chose it must not be able to write a sentence, a link or a mention into the question.
 */
export function plainName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize("NFC")
    .replace(/\p{M}{4,}|[^\p{L}\p{M}\p{N} ,'’&()-]/gu, " ")
    .replace(/ +/g, " ")
    .trim();
  return [...plain].slice(0, MAX_NAME).join("").trim();
}

/** How the bot addresses a person: the network's user name, or the displayed name if there is none. */
export function personName({ accountId, username, displayName }: Profile): string {
  return username === accountId ? plainName(displayName) || accountId : `@${username}`;
}

const owned = (owner: string) => plainName(owner) || "a user without a name";

/** What the bot says, as plain text. */
export const botTexts = {
  yes: "Yes",
  no: "No",
  question: (person: string, owner: string) =>
    `Connect ${person} to ${owned(owner)} at Carillon?\n\nPress Yes only if you opened this link from your own Carillon account. After Yes, that Carillon account can post to the channels and groups that you add this bot to.`,
  connected: (person: string, owner: string) =>
    `Done: ${person} is connected to ${owned(owner)} at Carillon. Go back to Carillon to add your channels and groups.`,
  alreadyConnected: "Done: you are connected. Go back to Carillon to add your channels and groups.",
  declined: "Nothing was connected, and the link no longer works.",
  over: "Nothing was connected: this link was used already or is too old. Start again in Carillon.",
  failed: (failure: ConnectFailure) =>
    failure === "account in use"
      ? "Nothing was connected: another Carillon user has connected your account already. Disconnect it there first, or use another account."
      : "Nothing was connected. Go back to Carillon to see the reason.",
};
