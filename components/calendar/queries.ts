"use client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { useIsLive } from "../api/live";
import { BETWEEN, type Shown } from "../api/move-schedule";
import { nextLookMs } from "../api/polling";
import type { Schedule, SchedulePage } from "../api/types";
import type { Filters } from "./use-place";

/** As many pages as a calendar reads; a month with more shows the newest and says so. */
const MOST_PAGES = 20;

/** Every schedule whose time lies between two instants, both included. */
export function useSchedulesBetween(from: Date, to: Date, filters: Filters) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: [...BETWEEN, from.toISOString(), to.toISOString(), filters],
    queryFn: ({ signal }) => everyPage(from, to, filters, signal),
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data?.items ?? []),
    placeholderData: (before) => before,
  });
}

async function everyPage(from: Date, to: Date, filters: Filters, signal: AbortSignal): Promise<Shown> {
  const items: Schedule[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const chosen = Object.entries({ ...filters, cursor }).filter((it): it is [string, string] => Boolean(it[1]));
    const query = new URLSearchParams([
      ["from", from.toISOString()],
      ["to", to.toISOString()],
      ["limit", "100"],
      ...chosen,
    ]);
    const answer = await api<SchedulePage>(`/v1/posts?${query}`, { signal });
    items.push(...answer.items);
    cursor = answer.nextCursor;
    if (!cursor) return { items, isCut: false };
  }
  return { items, isCut: true };
}
