"use client";
import dynamic from "next/dynamic";
import { useAccounts } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { LoadFailed } from "../ui/load-failed";
import { SkeletonRows } from "../ui/skeleton";

const skeleton = <SkeletonRows label="Loading the composer" rows={3} height="h-40" />;

// Loaded on demand, and in the browser only, because the draft lives there.
const Composer = dynamic(() => import("./composer").then(({ Composer }) => Composer), {
  ssr: false,
  loading: () => skeleton,
});

type Props = { networks: NetworkFacts[]; userId: string; at?: string };

/** @param at a time that was chosen elsewhere, as a `datetime-local` field writes it */
export function Compose({ networks, userId, at }: Props) {
  const accounts = useAccounts();
  if (accounts.data) return <Composer accounts={accounts.data} networks={networks} userId={userId} at={at} />;
  if (accounts.error)
    return <LoadFailed what="your accounts" error={accounts.error} retry={() => accounts.refetch()} />;
  return skeleton;
}
