import type { Account } from "../api/types";
import type { Begun } from "./begun-from";
import type { Attachment, Draft } from "./draft";
import { forgetDraft, loadDraft, loadMedia, loadServerId } from "./kept";

/** What the page is open for. */
export type Purpose =
  | { kind: "new"; userId: string; at?: string; hasQueue: boolean }
  | { kind: "copy"; userId: string; begun: Begun }
  /** `isDraft`: not planned yet, so that it may be saved while it is written. */
  | { kind: "edit"; userId: string; id: number; isDraft: boolean; begun: Begun };

export function beginDraft(purpose: Purpose, accounts: Account[]): Draft {
  if (purpose.kind === "edit") return purpose.begun.draft;
  if (purpose.kind === "copy") return { ...purpose.begun.draft, when: "now", at: "" };
  const kept = loadDraft(purpose.userId, purpose.hasQueue ? "next" : "now");
  const ids = kept.accountIds.filter((id) => accounts.some((account) => String(account.id) === id));
  return { ...kept, accountIds: ids, ...(purpose.at && { when: "later", at: purpose.at }) };
}

export function beginMedia(purpose: Purpose): Attachment[] {
  return purpose.kind === "new" ? loadMedia(purpose.userId) : purpose.begun.media;
}

/** The number of the schedule that is written over, once there is one. */
export function beginId(purpose: Purpose): number | undefined {
  if (purpose.kind === "edit") return purpose.id;
  return purpose.kind === "new" ? loadServerId(purpose.userId) : undefined;
}

/** What was sent is no draft any more, also where this browser has kept it under another purpose. */
export function forgetSent({ kind, userId }: Purpose, id: number | undefined): void {
  if (kind === "new" || (id !== undefined && loadServerId(userId) === id)) forgetDraft(userId);
}
