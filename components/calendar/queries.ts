"use client";
import { type QueryKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import { nextLookMs } from "../api/polling";
import { replacementOf } from "../api/replacement";
import type { Schedule, SchedulePage } from "../api/types";
import type { Filters } from "./use-place";

const CALENDAR = ["schedules", "between"];
/** As many pages as a calendar reads; a month with more shows the newest and says so. */
const MOST_PAGES = 20;

export type Shown = { items: Schedule[]; isCut: boolean };

/** Every schedule whose time lies between two instants, both included. */
export function useSchedulesBetween(from: Date, to: Date, filters: Filters) {
  return useQuery({
    queryKey: [...CALENDAR, from.toISOString(), to.toISOString(), filters],
    queryFn: ({ signal }) => everyPage(from, to, filters, signal),
    refetchInterval: ({ state }) => nextLookMs(state.data?.items ?? []),
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

export type Move = { schedule: Schedule; to: Date };

/** Gives a schedule another time. It stands there at once, and goes back where the API refuses. */
export function useMoveSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ schedule, to }: Move) =>
      api<Schedule>(`/v1/posts/${schedule.id}`, {
        method: "PUT",
        body: replacementOf(schedule, { scheduledTime: to.toISOString() }),
      }),
    onMutate: async ({ schedule, to }) => {
      await cache.cancelQueries({ queryKey: CALENDAR });
      const before = cache.getQueriesData<Shown>({ queryKey: CALENDAR });
      const moved = { ...schedule, scheduledTime: to.toISOString() };
      cache.setQueriesData<Shown>({ queryKey: CALENDAR }, (shown) => shown && withMoved(shown, moved));
      return { before };
    },
    onError: (_, __, context) => restore(context?.before ?? [], cache.setQueryData.bind(cache)),
    onSettled: () => cache.invalidateQueries({ queryKey: ["schedules"] }),
  });
}

function withMoved(shown: Shown, moved: Schedule): Shown {
  return { ...shown, items: shown.items.map((item) => (item.id === moved.id ? moved : item)) };
}

function restore(before: [QueryKey, Shown | undefined][], put: (key: QueryKey, shown: Shown | undefined) => unknown) {
  for (const [key, shown] of before) put(key, shown);
}
