import { type Attachment, type Draft, emptyDraft, hasText } from "./draft";

const textKey = (userId: string) => `carillon.draft.${userId}`;
const mediaKey = (userId: string) => `carillon.draft-media.${userId}`;
const versionKey = (userId: string) => `carillon.draft-version.${userId}`;

/**
 * The draft this browser keeps for a person. Only `saveDraft` writes there, so the shape of its fields is taken as given.
 * @param when chosen where nothing is kept
 */
export function loadDraft(userId: string, when: Draft["when"] = "now"): Draft {
  const saved = read(textKey(userId)) as Partial<Draft> | null;
  const hasParts = Array.isArray(saved?.parts) && saved.parts.length > 0;
  return { ...emptyDraft, when, ...saved, ...(!hasParts && { parts: emptyDraft.parts }) };
}

export function saveDraft(userId: string, draft: Draft): void {
  write(textKey(userId), draft);
}

export function loadMedia(userId: string): Attachment[] {
  const saved = read(mediaKey(userId));
  return Array.isArray(saved) ? saved : [];
}

export function saveMedia(userId: string, media: Attachment[]): void {
  write(mediaKey(userId), media);
}

/** Which of its schedules a text was written for, and which version of it (`ETag`), where the service said. */
export type Version = { id: number; tag?: string };

/** Under which number the service keeps the same draft, once it does, as this browser knows it. */
export function loadVersion(userId: string): Version | undefined {
  const saved = read(versionKey(userId)) as Version | null;
  return typeof saved?.id === "number" ? saved : undefined;
}

/** To be called whenever the text is, or a text of one version would be taken for one of another. */
export function saveVersion(userId: string, version: Version | undefined): void {
  write(versionKey(userId), version ?? null);
}

export function forgetDraft(userId: string): void {
  for (const key of [textKey, mediaKey, versionKey]) localStorage.removeItem(key(userId));
}

/** Whether something has been written or attached. */
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
    // A full or forbidden storage only costs the draft its reload.
  }
}
