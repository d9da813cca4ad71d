import type { FileKind } from "@/lib/networks/limits";
import type { TaggedPerson } from "../../networks/types";

/** The value of a setting's field. A list is an array of chosen values, or text with one entry per line. */
export type FieldValue = string | boolean | (string | PlacedTag)[] | undefined;

/** A tag that names its file by the storage key, so that it stays with the file when that moves. */
export type PlacedTag = Omit<TaggedPerson, "attachment"> & { path: string };

/** One post of a thread, or the only one. Files refer to it by ID, so that they stay with it when it moves. */
export type Part = { id: string; text: string };

/** What is being written. Records are keyed by `keyOf`. A draft is never changed in place. */
export type Draft = {
  /** At least one. */
  parts: Part[];
  accountIds: string[];
  /** Texts of accounts that do not use the common text. */
  own: { [accountKey: string]: Part[] | undefined };
  /** Storage keys of files that are left out for an account. */
  without: { [accountKey: string]: string[] | undefined };
  settings: { [accountKey: string]: { [setting: string]: FieldValue } | undefined };
  chats: { [accountKey: string]: string | undefined };
  when: "now" | "next" | "later";
  /** The next free slot in UTC; empty while none is known. */
  slot: string;
  /** In the format of a `datetime-local` field. */
  at: string;
};

/** A stored file. */
export type Attachment = {
  path: string;
  name: string;
  kind: FileKind;
  /** A thumbnail: a data URL or an address on this site. */
  thumb?: string;
  /** The cover picture of a video, for networks that accept one. */
  cover?: { path: string; name: string; thumb?: string };
  /** The ID of its part; an unknown ID means the first part. */
  partId?: string;
  /** The platform or the account key that alone gets it; all accounts if absent. */
  only?: string;
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

/** Whether any text has been written. */
export function hasText({ parts, own }: Draft): boolean {
  return [parts, ...Object.values(own)].some((texts) => texts?.some(({ text }) => text.trim() !== ""));
}

export function withSetting(draft: Draft, key: string, name: string, value: FieldValue): Draft {
  return { ...draft, settings: { ...draft.settings, [key]: { ...draft.settings[key], [name]: value } } };
}

/** Gives accounts their own text; undefined returns them to the common text. */
export function withOwnText(draft: Draft, keys: string[], parts: Part[] | undefined): Draft {
  return { ...draft, own: { ...draft.own, ...Object.fromEntries(keys.map((key) => [key, parts])) } };
}

/** Leaves a file out for accounts, or gives it back to them. */
export function withFileLeftOut(draft: Draft, keys: string[], path: string, isLeftOut: boolean): Draft {
  const without = keys.map((key) => {
    const others = (draft.without[key] ?? []).filter((one) => one !== path);
    return [key, isLeftOut ? [...others, path] : others] as const;
  });
  return { ...draft, without: { ...draft.without, ...Object.fromEntries(without) } };
}
