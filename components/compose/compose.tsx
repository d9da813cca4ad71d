"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useAccounts } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { composePageWords } from "./page-words";

const skeleton = <SkeletonRows label={composePageWords.loading} rows={3} height="h-40" />;

// Loaded on demand and only in the browser, because the draft is stored there. Both come from one module, so that
// their code is not bundled twice.
const Composer = dynamic(() => import("./composer").then(({ Composer }) => Composer), {
  ssr: false,
  loading: () => skeleton,
});
const FromSchedule = dynamic(() => import("./composer").then(({ FromSchedule }) => FromSchedule), {
  ssr: false,
  loading: () => skeleton,
});

type Props = {
  networks: NetworkFacts[];
  userId: string;
  /** A preselected time, in the format of a `datetime-local` field. */
  at?: string;
  /** Whether any account has queue times; then the next free slot is preselected. */
  hasQueue: boolean;
  /** The schedule to edit or copy. */
  from?: { id: number; isCopy: boolean };
};

export function Compose({ networks, userId, at, hasQueue, from }: Props) {
  const accounts = useAccounts();
  // A link within the site starts a new post. Loading or reloading the address continues the one that was being written.
  const isByLink = useIsHydrated();
  const [cameByLink] = useState(isByLink);
  const [round, setRound] = useState(0);
  if (accounts.error && !accounts.data)
    return (
      <LoadFailed
        text={composePageWords.couldNotLoadAccounts(accounts.error.message)}
        retry={() => accounts.refetch()}
      />
    );
  if (!accounts.data) return skeleton;
  const known = { accounts: accounts.data, networks };
  if (from) return <FromSchedule key={`${from.id} ${from.isCopy}`} {...from} {...known} userId={userId} />;
  return (
    <Composer
      key={round}
      {...known}
      purpose={{ kind: "new", userId, at, hasQueue, isFresh: cameByLink && round === 0 }}
      beginAnew={() => setRound(round + 1)}
    />
  );
}
