/** What is being written. Records are keyed by `keyOf`, because form paths take bare numbers for array positions. */
export type Draft = {
  text: string;
  accountIds: string[];
  /** Another text for one account. */
  own: { [accountKey: string]: string | undefined };
  settings: { [accountKey: string]: { [setting: string]: string | boolean | undefined } | undefined };
  chats: { [accountKey: string]: string | undefined };
  when: "now" | "later";
  /** As a `datetime-local` field writes it. */
  at: string;
};

/** A file that is in storage. */
export type Attachment = {
  path: string;
  name: string;
  kind: "image" | "video";
  /** A small picture of it, as a data address. */
  thumb?: string;
};

export const emptyDraft: Draft = { text: "", accountIds: [], own: {}, settings: {}, chats: {}, when: "now", at: "" };

export function keyOf(accountId: number): string {
  return `a${accountId}`;
}

const textKey = (userId: string) => `carillon.draft.${userId}`;
const mediaKey = (userId: string) => `carillon.draft-media.${userId}`;

/** The draft this browser keeps for a person. Only `saveDraft` writes there, so its shape is taken as given. */
export function loadDraft(userId: string): Draft {
  const saved = read(textKey(userId)) as Partial<Draft> | null;
  return { ...emptyDraft, ...saved };
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

export function forgetDraft(userId: string): void {
  localStorage.removeItem(textKey(userId));
  localStorage.removeItem(mediaKey(userId));
}

/** Whether something has been written or attached. */
export function hasDraft(userId: string): boolean {
  return loadDraft(userId).text.trim() !== "" || loadMedia(userId).length > 0;
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
