"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useEffectEvent, useState } from "react";
import type { Slot } from "@/lib/time/weekly";
import { serverNow } from "../api/client";
import { everySchedule } from "../api/every-schedule";
import type { MoveOutcome } from "../api/move-all";
import { LoadFailed } from "../ui/loading";
import { queueWords } from "./words";
import { type ZoneChange, zoneMovesOf } from "./zone-change";

const ZoneWindow = dynamic(() => import("./zone-window").then(({ ZoneWindow }) => ZoneWindow), { ssr: false });

/** Arrow keys step through the zones; a zone counts as chosen after this long. */
const STAYS_MS = 800;

type Props = {
  accountId: number;
  slots: Slot[];
  change: ZoneChange;
  /** Postponed with Escape; asked again after the next change of zone. */
  putOff: () => void;
  /** Answered, or there was nothing to ask. */
  end: (outcome?: MoveOutcome) => void;
};

/** After a change of time zone, asks whether planned posts move, if there are any. */
export function ZoneQuestion({ accountId, slots, change, putOff, end }: Props) {
  const [isMeant, setMeant] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMeant(true), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  const found = useQuery({
    // Loaded once, so that the question does not change while it is shown.
    queryKey: ["planned at", accountId, change],
    queryFn: async ({ signal }) => {
      const wanted = { from: new Date(serverNow()).toISOString(), accountId: String(accountId) };
      const { items, isCut } = await everySchedule(wanted, signal);
      return { ...zoneMovesOf(items, slots, { ...change, nowMs: serverNow() }), isCut };
    },
    enabled: isMeant,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isNone = found.data?.moves.length === 0 && found.data.past.length === 0;
  const endNone = useEffectEvent(() => end());
  useEffect(() => {
    if (isNone) endNone();
  }, [isNone]);
  if (found.error) return <LoadFailed text={queueWords.zone.couldNotLoad(found.error.message)} retry={found.refetch} />;
  if (isNone) return null;
  if (!found.data)
    return (
      <p role="status" className="text-muted empty:-mb-8">
        {isMeant && queueWords.zone.looking}
      </p>
    );
  return <ZoneWindow accountId={accountId} found={found.data} change={change} putOff={putOff} end={end} />;
}
