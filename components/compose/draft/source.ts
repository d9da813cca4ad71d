import type { Account } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import type { Attachment, Draft } from "./draft";
import { draftFromSchedule, type LoadedDraft } from "./from-schedule";
import {
  forgetDraft,
  loadDraft,
  loadMedia,
  loadVersion,
  saveDraft,
  saveMedia,
  saveVersion,
  type Version,
} from "./local-storage";
import type { OriginalSchedule } from "./queries";

/** What the page is open for. */
export type DraftSource =
  | { kind: "new"; userId: string; at?: string; hasQueue: boolean }
  | { kind: "copy"; userId: string; begun: LoadedDraft }
  /** `isDraft`: not planned yet, so that it may be saved while it is written. */
  | { kind: "edit"; userId: string; id: number; tag?: string; isDraft: boolean; begun: LoadedDraft };

export function initialDraft(purpose: DraftSource, accounts: Account[]): Draft {
  if (purpose.kind === "edit") return purpose.begun.draft;
  if (purpose.kind === "copy") return { ...purpose.begun.draft, when: "now", at: "" };
  const kept = loadDraft(purpose.userId, purpose.hasQueue ? "next" : "now");
  const ids = kept.accountIds.filter((id) => accounts.some((account) => String(account.id) === id));
  return { ...kept, accountIds: ids, ...(purpose.at && { when: "later", at: purpose.at }) };
}

export function initialMedia(purpose: DraftSource): Attachment[] {
  return purpose.kind === "new" ? loadMedia(purpose.userId) : purpose.begun.media;
}

/** The schedule that is written over, once there is one. */
export function initialVersion(purpose: DraftSource): Version | undefined {
  if (purpose.kind === "edit") return { id: purpose.id, tag: purpose.tag };
  return purpose.kind === "new" ? loadVersion(purpose.userId) : undefined;
}

/** What was sent is no draft any more, also where this browser has kept it under another purpose. */
export function forgetSentDraft({ kind, userId }: DraftSource, id: number | undefined): void {
  if (kind === "new" || (id !== undefined && loadVersion(userId)?.id === id)) forgetDraft(userId);
}

/** From now on this browser keeps what the service has, in the place of what it kept; false where the page cannot show that. */
export function replaceStoredDraft(
  userId: string,
  { schedule, tag, files }: OriginalSchedule,
  known: { accounts: Account[]; networks: NetworkFacts[] },
): boolean {
  const begun = draftFromSchedule(schedule, { ...known, files });
  forgetDraft(userId);
  if (!begun) return false;
  saveDraft(userId, begun.draft);
  saveMedia(userId, begun.media);
  saveVersion(userId, { id: schedule.id, tag });
  return true;
}
