"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useAccounts } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { composeWords } from "./words";

const skeleton = <SkeletonRows label={composeWords.page.loading} rows={3} height="h-40" />;

// Loaded on demand, and in the browser only, because the draft lives there.
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
  /** A time that was chosen elsewhere, as a `datetime-local` field writes it. */
  at?: string;
  /** Whether an account has queue times, whose next free one is then what people mean first. */
  hasQueue: boolean;
  /** The schedule to begin from: to change it, or to write another like it. */
  from?: { id: number; isCopy: boolean };
};

export function Compose({ networks, userId, at, hasQueue, from }: Props) {
  const accounts = useAccounts();
  const [round, setRound] = useState(0);
  if (accounts.error && !accounts.data)
    return (
      <LoadFailed
        text={composeWords.page.couldNotLoadAccounts(accounts.error.message)}
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
      purpose={{ kind: "new", userId, at, hasQueue }}
      beginAnew={() => setRound((before) => before + 1)}
    />
  );
}
