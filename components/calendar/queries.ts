"use client";
import { useQuery } from "@tanstack/react-query";
import { everySchedule } from "../api/every-schedule";
import { useIsLive } from "../api/live";
import { BETWEEN } from "../api/move-schedule";
import { nextLookMs } from "../api/polling";
import type { Filters } from "./use-place";

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
