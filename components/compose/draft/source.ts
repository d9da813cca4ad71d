import type { ApiAccount } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import { nextHour, timeOf } from "../time/time-of";
import type { Attachment, Draft } from "./draft";
import { draftFromSchedule, type LoadedDraft } from "./from-schedule";
import {
  beginNewDraft,
  forgetDraft,
  isStored,
  loadDraft,
  loadMedia,
  loadVersion,
  saveDraft,
  saveMedia,
  saveVersion,
  setDraftOfEntry,
  type Version,
} from "./local-storage";
import type { OriginalSchedule } from "./queries";

/** What the page starts from: a new post, a copy or an edit. */
export type DraftSource =
  /** `isFresh`: not the text that was being written, unless only this browser has it. */
  | { kind: "new"; userId: string; at?: string; hasQueue: boolean; isFresh: boolean }
  | { kind: "copy"; userId: string; hasQueue: boolean; begun: LoadedDraft }
  | EditedPost;

type EditedPost = {
  kind: "edit";
  userId: string;
  id: number;
  tag?: string;
  /** Not planned yet, so it is saved while typing. */
  isDraft: boolean;
  begun: LoadedDraft;
  /** Whether it begins with changes that were not saved when the page was left. */
  isChanged: boolean;
};

/** The text to start with. It is read first, because a new post forgets the stored one with its files and version. */
export function initialDraft(purpose: DraftSource, accounts: ApiAccount[]): Draft {
  if (purpose.kind === "edit") return purpose.begun.draft;
  const now = Date.now();
  const time = { when: purpose.hasQueue ? "next" : "later", at: nextHour(now) } as const;
  if (purpose.kind === "copy") return { ...purpose.begun.draft, ...time };
  if (purpose.isFresh) beginNewDraft(purpose.userId);
  const kept = loadDraft(purpose.userId, time);
  const isOver = kept.when === "later" && (timeOf(kept)?.getTime() ?? 0) < now;
  const ids = kept.accountIds.filter((id) => accounts.some((account) => String(account.id) === id));
  return {
    ...kept,
    accountIds: ids,
    ...(isOver && { at: time.at }),
    ...(purpose.at && { when: "later", at: purpose.at }),
  };
}

export function initialMedia(purpose: DraftSource): Attachment[] {
  return purpose.kind === "new" ? loadMedia(purpose.userId) : purpose.begun.media;
}

/** The schedule to replace, if there is one. */
export function initialVersion(purpose: DraftSource): Version | undefined {
  if (purpose.kind === "edit") return { id: purpose.id, tag: purpose.tag };
  return purpose.kind === "new" ? loadVersion(purpose.userId) : undefined;
}

/** The key under which this browser stores the draft; undefined if only the server stores it. */
export function draftKeyOf(purpose: DraftSource): string | undefined {
  if (purpose.kind === "new") return purpose.userId;
  return purpose.kind === "edit" && !purpose.isDraft ? changesOf(purpose) : undefined;
}

const changesOf = ({ userId, id }: Pick<EditedPost, "userId" | "id">) => `${userId}.${id}`;

/** A planned post with the changes that were not saved when the page was left, if there are any. */
export function withChanges(post: Omit<EditedPost, "kind" | "isChanged">): EditedPost {
  const place = changesOf(post);
  const version = post.isDraft ? undefined : loadVersion(place);
  const begun = version ? { draft: loadDraft(place), media: loadMedia(place) } : post.begun;
  return { ...post, kind: "edit", tag: version ? version.tag : post.tag, begun, isChanged: version !== undefined };
}

/** Removes the changes of a planned post that were not saved. */
export function forgetChanges(post: Pick<EditedPost, "userId" | "id">): void {
  forgetDraft(changesOf(post));
}

/**
 * Removes the local draft after sending, also if it was written on another page.
 * @param left what was sent, if its page was left since: then another text may have been begun, which stays
 */
export function forgetSentDraft(purpose: DraftSource, id: number | undefined, left?: Draft): void {
  const { kind, userId } = purpose;
  const place = draftKeyOf(purpose);
  const isStill = !left || (place !== undefined && isStored(place, left));
  if (purpose.kind === "edit" && isStill) forgetChanges(purpose);
  if (kind === "new" && !left) setDraftOfEntry(undefined);
  if ((kind === "new" && isStill) || (id !== undefined && loadVersion(userId)?.id === id)) forgetDraft(userId);
}

/** Replaces the local draft by the stored schedule; false if this page cannot show it. */
export function replaceStoredDraft(
  userId: string,
  { schedule, tag, files }: OriginalSchedule,
  known: { accounts: ApiAccount[]; networks: NetworkFacts[] },
): boolean {
  const begun = draftFromSchedule(schedule, { ...known, files });
  forgetDraft(userId);
  if (!begun) return false;
  saveDraft(userId, begun.draft);
  saveMedia(userId, begun.media);
  saveVersion(userId, { id: schedule.id, tag });
  return true;
}
