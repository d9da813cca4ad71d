"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
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

const again =
  (isFresh: boolean) =>
  ({ round }: { round: number }) => ({ round: round + 1, isFresh });

export function Compose({ networks, userId, at, hasQueue, from }: Props) {
  const accounts = useAccounts();
  // A link within the site starts a new post. Loading or reloading the address continues the one that was being written.
  const isByLink = useIsHydrated();
  const [start, setStart] = useState({ round: 0, isFresh: isByLink });
  useEffect(() => {
    // A link to this very page changes nothing by itself. `defaultPrevented`: it was followed in this tab.
    const onClick = ({ target, defaultPrevented }: MouseEvent) =>
      defaultPrevented && target instanceof Element && target.closest('a[href="/compose"]') && setStart(again(true));
    addEventListener("click", onClick);
    return () => removeEventListener("click", onClick);
  }, []);
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
      key={start.round}
      {...known}
      purpose={{ kind: "new", userId, at, hasQueue, isFresh: start.isFresh }}
      beginAnew={() => setStart(again(false))}
    />
  );
}
