import type { FileKind } from "@/lib/networks/limits";
import type { Setting } from "../../networks/types";

/** The value of a setting's field. A list is an array of chosen values, or text with one entry per line. */
export type FieldValue = string | boolean | string[] | undefined;

/** One post of a thread, or the only one. Files refer to it by ID, so that they stay with it when it moves. */
export type Part = { id: string; text: string };

/**
 * The form values of the composer. Records are keyed by `keyOf`, because bare numbers in form paths mean array
 * positions.
 */
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

/** Returns a setting of a request as the value of its field; undefined if no field can show it. */
export function fieldValue(value: unknown, { choices, scale = 1 }: Partial<Setting> = {}): FieldValue {
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return choices ? value : value.join("\n");
  if (typeof value === "number") return String(value / scale);
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

export function keyOf(accountId: number): string {
  return `a${accountId}`;
}

/** Whether any text has been written. */
export function hasText({ parts, own }: Draft): boolean {
  return [parts, ...Object.values(own)].some((texts) => texts?.some(({ text }) => text.trim() !== ""));
}
