import { say } from "../../ui/toast";
import { composePageWords } from "../page-words";
import { type Attachment, type Draft, emptyDraft, hasText } from "./draft";

const textKey = (userId: string) => `carillon.draft.${userId}`;
const mediaKey = (userId: string) => `carillon.draft-media.${userId}`;
const versionKey = (userId: string) => `carillon.draft-version.${userId}`;

/**
 * Loads the draft that this browser stores for a user. Only `saveDraft` writes it, so its shape is trusted.
 * @param time the time if nothing is stored
 */
export function loadDraft(userId: string, time: Partial<Draft> = {}): Draft {
  const saved = read(textKey(userId)) as Partial<Draft> | null;
  const hasParts = Array.isArray(saved?.parts) && saved.parts.length > 0;
  return { ...emptyDraft, ...time, ...saved, ...(!hasParts && { parts: emptyDraft.parts }) };
}

export function saveDraft(userId: string, draft: Draft): void {
  write(textKey(userId), draft);
}

/** Whether exactly this draft is stored. */
export function isStored(userId: string, draft: Draft): boolean {
  return JSON.stringify(read(textKey(userId))) === JSON.stringify(draft);
}

export function loadMedia(userId: string): Attachment[] {
  const saved = read(mediaKey(userId));
  return Array.isArray(saved) ? saved : [];
}

export function saveMedia(userId: string, media: Attachment[]): void {
  write(mediaKey(userId), media);
}

/**
 * The schedule and version (`ETag`) that a text belongs to, if the API returned them. `isBehind`: the text has changed since it
 * was saved there.
 */
export type Version = { id: number; tag?: string; isBehind?: boolean };

/** The server-side draft that belongs to the stored text. */
export function loadVersion(userId: string): Version | undefined {
  const saved = read(versionKey(userId)) as Version | null;
  return typeof saved?.id === "number" ? saved : undefined;
}

/** Must be called whenever the text is saved, so that text and version always match. */
export function saveVersion(userId: string, version: Version | undefined): void {
  write(versionKey(userId), version ?? null);
}

/** Stores the draft of a new post in the entry of the browser's history, which "Back" opens again. */
export function setDraftOfEntry(draft: number | undefined): void {
  history.replaceState({ ...history.state, draft }, "");
}

/** The draft that was written at this entry of the history, if any. */
export function draftOfEntry(): number | undefined {
  return history.state?.draft;
}

export function forgetDraft(userId: string): void {
  try {
    for (const key of [textKey, mediaKey, versionKey]) localStorage.removeItem(key(userId));
  } catch {
    // If storage is forbidden, nothing is stored.
  }
}

/** Makes room for a new post. A text that only this browser has stays, because it would be lost. */
export function beginNewDraft(userId: string): void {
  const version = loadVersion(userId);
  if (version && !version.isBehind) forgetDraft(userId);
}

/** Whether only this browser has the text, so that a new post would lose it. */
export function isOnlyHere(userId: string): boolean {
  return hasDraft(userId) && loadVersion(userId)?.isBehind !== false;
}

/** Says that the post could not be saved as a draft. Shown once, however often the person tries to leave it. */
export function sayOnlyHere(): void {
  say((toast) => toast(composePageWords.staysHere, { id: "stays" }));
}

/** Whether any text or file is stored. */
export function hasDraft(userId: string): boolean {
  return hasText(loadDraft(userId)) || loadMedia(userId).length > 0;
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // If storage is full or forbidden, the draft only does not survive a reload.
  }
}
