"use client";
import { useQuery } from "@tanstack/react-query";
import { everySchedule } from "../api/every-schedule";
import { nextLookMs, useIsLive } from "../api/live";
import { BETWEEN } from "../api/move-schedule";
import { useNextSlots } from "../api/slots";
import type { Account } from "../api/types";
import { type Day, dayOf } from "../time/days";
import type { Openings } from "./opening";
import type { Filters } from "./use-place";
import { boundsOf } from "./views";

/** As many as are asked for at once; more would hide what is planned. */
const MOST = 100;

/** The free slots of the days, of the accounts that are shown in them; none where the days are over or only one state is shown. */
export function useOpenings(
  days: Day[],
  { platform, accountId, status }: Filters,
  { accounts, today, isShown }: { accounts: Account[]; today: Day; isShown: boolean },
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

/** Every schedule whose time lies between two instants, both included. */
export function useSchedulesBetween(from: Date, to: Date, filters: Filters) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: [...BETWEEN, from.toISOString(), to.toISOString(), filters],
    queryFn: ({ signal }) => everySchedule({ from: from.toISOString(), to: to.toISOString(), ...filters }, signal),
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data?.items ?? []),
    placeholderData: (before) => before,
  });
}
