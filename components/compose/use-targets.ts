"use client";
import { useDeferredValue, useMemo } from "react";
import { useChatsOf } from "../api/queries";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { type Draft, keyOf } from "./draft";
import { useOptionsOf } from "./queries";
import { type Target, targetsOf } from "./targets";
import { useSame } from "./use-same";
import { useStable } from "./use-stable";
import type { Upload } from "./use-uploads";

type Given = { draft: Draft; files: Upload[]; accounts: Account[]; networks: NetworkFacts[] };

/**
 * What each chosen account will be sent, and the draft that this was computed from. Of the texts it may be a key behind: a
 * browser that is busy shows what is typed first and counts afterwards.
 */
export function useTargets({ draft, files, accounts, networks }: Given): {
  targets: Target[];
  shown: Draft;
  now: () => Target[];
} {
  const chats = useChatsByKey(accounts, networks);
  const asked = useOptionsByKey(accounts, networks, draft.accountIds);
  const { parts, own, ...others } = draft;
  const texts = useDeferredValue(useSame({ parts, own }));
  const rest = useSame(others);
  const shown = useMemo(() => ({ ...rest, ...texts }), [rest, texts]);
  const targets = useMemo(
    () => targetsOf({ draft: shown, files, accounts, networks, chats, asked }),
    [shown, files, accounts, networks, chats, asked],
  );
  /** The same from what stands there this moment, for what is sent. */
  const now = () => targetsOf({ draft, files, accounts, networks, chats, asked });
  return { targets, shown, now };
}

function useChatsByKey(accounts: Account[], networks: NetworkFacts[]) {
  const withChats = accounts.filter((account) =>
    networks.some(({ platform, destinations }) => platform === account.platform && destinations),
  );
  const chats = useChatsOf(withChats);
  return useStable(Object.fromEntries(withChats.map(({ id }, index) => [keyOf(id), chats[index]])));
}

function useOptionsByKey(accounts: Account[], networks: NetworkFacts[], chosen: string[]) {
  const withOptions = accounts.filter(
    ({ id, platform }) =>
      chosen.includes(String(id)) && networks.some((network) => network.platform === platform && network.hasOptions),
  );
  const asked = useOptionsOf(withOptions);
  return useStable(Object.fromEntries(withOptions.map(({ id }, index) => [keyOf(id), asked[index]])));
}
