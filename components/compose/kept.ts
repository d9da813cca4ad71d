import { type Attachment, type Draft, emptyDraft, hasText } from "./draft";

const textKey = (userId: string) => `carillon.draft.${userId}`;
const mediaKey = (userId: string) => `carillon.draft-media.${userId}`;
const serverKey = (userId: string) => `carillon.draft-id.${userId}`;

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

/** Under which number the service keeps the same draft, once it does. */
export function loadServerId(userId: string): number | undefined {
  const saved = read(serverKey(userId));
  return typeof saved === "number" ? saved : undefined;
}

export function saveServerId(userId: string, id: number): void {
  write(serverKey(userId), id);
}

export function forgetDraft(userId: string): void {
  for (const key of [textKey, mediaKey, serverKey]) localStorage.removeItem(key(userId));
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
