"use client";
import { type RefObject, useMemo, useRef, useState } from "react";
import { useChatsOf } from "../../api/queries";
import type { ApiAccount } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import { type Draft, keyOf } from "../draft/draft";
import { useLastUsed, useOptionsOf } from "../draft/queries";
import type { EditDraft } from "../draft/use-autosave";
import type { Upload } from "../uploads/use-uploads";
import { type Target, targetsOf } from "./targets";

type Given = {
  draft: Draft;
  latest: RefObject<Draft>;
  files: Upload[];
  accounts: ApiAccount[];
  networks: NetworkFacts[];
};

/** Computes what each chosen account will be sent; `now` computes it from the latest draft, for sending. */
export function useTargets({ draft, latest, files, accounts, networks }: Given): {
  targets: Target[];
  now: () => Target[];
} {
  const chats = useChatsByKey(accounts, networks);
  const asked = useOptionsByKey(accounts, networks, draft.accountIds);
  const targets = useMemo(
    () => targetsOf({ draft, files, accounts, networks, chats, asked }),
    [draft, files, accounts, networks, chats, asked],
  );
  const now = () => targetsOf({ draft: latest.current, files, accounts, networks, chats, asked });
  return { targets, now };
}

function useChatsByKey(accounts: ApiAccount[], networks: NetworkFacts[]) {
  const withChats = accounts.filter((account) =>
    networks.some(({ platform, destinations }) => platform === account.platform && destinations),
  );
  const chats = useChatsOf(withChats);
  return useShallowStable(Object.fromEntries(withChats.map(({ id }, index) => [keyOf(id), chats[index]])));
}

function useOptionsByKey(accounts: ApiAccount[], networks: NetworkFacts[], chosen: string[]) {
  const withOptions = accounts.filter(
    ({ id, platform }) =>
      chosen.includes(String(id)) && networks.some((network) => network.platform === platform && network.hasOptions),
  );
  const asked = useOptionsOf(withOptions);
  return useShallowStable(Object.fromEntries(withOptions.map(({ id }, index) => [keyOf(id), asked[index]])));
}

/** Keeps the record's identity while its values are identical, so that memoised results stay valid. */
function useShallowStable<Value extends object>(record: Value): Value {
  const before = useRef(record);
  const entries = Object.entries(record);
  const kept = Object.fromEntries(Object.entries(before.current));
  const isSame = entries.length === Object.keys(kept).length && entries.every(([name, value]) => kept[name] === value);
  if (!isSame) before.current = record;
  return before.current;
}

const NONE: string[] = [];

type PresetOptions = { accounts: ApiAccount[]; draft: Draft; edit: EditDraft; isBegun: boolean };

/**
 * Chooses the accounts of a new post: the only one that can publish, or those of the newest post. Returns the latter.
 * A text that was kept keeps its accounts, even if it has none. So does a person who was faster than the answer.
 * @param isBegun whether the post has something in it when the page is opened
 */
export function usePresetAccounts({ accounts, draft, edit, isBegun }: PresetOptions): string[] {
  const newest = useLastUsed();
  const able = useMemo(
    () => accounts.filter(({ state }) => state === "ACTIVE").map(({ id }) => String(id)),
    [accounts],
  );
  const lastUsed = useMemo(() => newest?.filter((id) => able.includes(id)), [newest, able]);
  const [isPreset, setPreset] = useState(isBegun);
  const [firstIds] = useState(draft.accountIds);
  // The only account is drawn with the first render, so that no press meets the change.
  const preset = able.length === 1 ? able : lastUsed;
  if (!isPreset && preset && accounts.length > 0) {
    setPreset(true);
    const isUntouched = firstIds.length === 0 && draft.accountIds === firstIds;
    if (isUntouched) edit((before) => ({ ...before, accountIds: preset }), false);
  }
  return lastUsed ?? NONE;
}
