"use client";
import { useQuery } from "@tanstack/react-query";
import { everySchedule } from "../api/every-schedule";
import { nextLookMs, useIsLive } from "../api/live";
import { BETWEEN } from "../api/move-schedule";
import { useNextSlots } from "../api/slots";
import type { ApiAccount } from "../api/types";
import { type Day, dayOf } from "../time/days";
import type { Openings } from "./opening";
import type { ScheduleFilters } from "./use-place";
import { boundsOf } from "./views";

/** The maximum per request; more would hide the planned posts. */
const MOST = 100;

/** Free slots of the visible days and accounts; none for past days or when filtering by status. */
export function useOpenings(
  days: Day[],
  { platform, accountId, status }: ScheduleFilters,
  { accounts, today, isShown }: { accounts: ApiAccount[]; today: Day; isShown: boolean },
): Openings {
  const { from, to } = boundsOf(days);
  const chosen = accounts
    .filter((account) => !platform || account.platform === platform)
    .filter(({ id }) => !accountId || String(id) === accountId)
    .map(({ id }) => id);
  const accountIds = platform || accountId ? chosen : undefined;
  const isAsked = isShown && !status && chosen.length > 0 && dayOf(to) >= today;
  const after = new Date(from.getTime() - 1);
  const { data } = useNextSlots({ accountIds, match: "any", count: MOST, after }, isAsked);
  return (data?.items ?? []).filter(({ time }) => Date.parse(time) <= to.getTime());
}

/** Schedules between two instants, both inclusive. */
export function useSchedulesBetween(from: Date, to: Date, filters: ScheduleFilters) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: [...BETWEEN, from.toISOString(), to.toISOString(), filters],
    queryFn: ({ signal }) => everySchedule({ from: from.toISOString(), to: to.toISOString(), ...filters }, signal),
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data?.items ?? []),
    placeholderData: (before) => before,
  });
}
