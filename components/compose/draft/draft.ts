/** One post of a thread, or the only one. Its files name it by its id, so that they stay with it wherever it is moved. */
export type Part = { id: string; text: string };

/** What is being written. Records are keyed by `keyOf`, because form paths take bare numbers for array positions. */
export type Draft = {
  /** At least one. */
  parts: Part[];
  accountIds: string[];
  /** Other texts for one account. */
  own: { [accountKey: string]: Part[] | undefined };
  /** The storage keys of files that one account is not sent. */
  without: { [accountKey: string]: string[] | undefined };
  settings: { [accountKey: string]: { [setting: string]: string | boolean | undefined } | undefined };
  chats: { [accountKey: string]: string | undefined };
  when: "now" | "next" | "later";
  /** The free slot that was found, in UTC; empty while there is none. */
  slot: string;
  /** As a `datetime-local` field writes it. */
  at: string;
};

/** A file that is in storage. */
export type Attachment = {
  path: string;
  name: string;
  kind: "image" | "video";
  /** A small picture of it, as a data address or one that we serve. */
  thumb?: string;
  /** A picture that stands for a video, where its network takes one. */
  cover?: { path: string; name: string; thumb?: string };
  /** The part that it belongs to; the first where there is none of that id. */
  partId?: string;
};

export const emptyDraft: Draft = {
  parts: [{ id: "p1", text: "" }],
  accountIds: [],
  own: {},
  without: {},
  settings: {},
  chats: {},
  when: "now",
  slot: "",
  at: "",
};

export function keyOf(accountId: number): string {
  return `a${accountId}`;
}

/** Whether there are words in it. */
export function hasText({ parts, own }: Draft): boolean {
  return [parts, ...Object.values(own)].some((texts) => texts?.some(({ text }) => text.trim() !== ""));
}
