import type { Platform } from "@/lib/platforms";
import type { ApiAccount, Chat } from "../../api/types";
import { networkFacts } from "../../networks/facts";
import { type Draft, emptyDraft, keyOf } from "../draft/draft";
import { partsWith } from "../parts/parts";
import { type Target, targetsOf } from "../targets/targets";
import type { Upload } from "../uploads/use-uploads";

export const networks = networkFacts();

export function account(id: number, platform: Platform): ApiAccount {
  return {
    id,
    platform,
    accountId: String(id),
    accountUsername: `bells${id}`,
    accountDisplayName: "The Bells",
    state: "ACTIVE",
    stateTime: "",
    createdTime: "",
    updatedTime: "",
  };
}

/** A stored file. */
export function file(path: string, partId?: string): Upload {
  return { id: path, path, partId, name: path, kind: path.endsWith(".mp4") ? "video" : "image", share: 1 };
}

/** A draft with these texts for these accounts. */
export function draftFor(accounts: ApiAccount[], texts: string[], more: Partial<Draft> = {}): Draft {
  return { ...emptyDraft, parts: partsWith(texts), accountIds: accounts.map(({ id }) => String(id)), ...more };
}

export function targetsFor(
  draft: Draft,
  accounts: ApiAccount[],
  files: Upload[] = [],
  chats: { [id: number]: Chat[] } = {},
): Target[] {
  const byKey = Object.fromEntries(accounts.map(({ id }) => [keyOf(id), chats[id]]));
  return targetsOf({ draft, files, accounts, networks, chats: byKey, asked: {} });
}
