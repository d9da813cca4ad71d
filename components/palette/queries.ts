"use client";
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Shown } from "../api/every-schedule";
import { BETWEEN } from "../api/move-schedule";
import type { Schedule, SchedulePage } from "../api/types";

/** As many of the newest posts, and of the drafts, as are read to be looked through. */
export const NEWEST = 100;
const SCHEDULES = ["schedules"];

export type ToSearch = { schedules: Schedule[]; isAll: boolean };

/**
 * The posts to look through: the newest, the drafts, and whatever the pages have read before. Looking through every text at
 * the service would read all of them for each word. Undefined while they are being read.
 */
export function usePostsToSearch() {
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...SCHEDULES, "to search"],
    queryFn: async ({ signal }): Promise<ToSearch> => {
      const [newest, drafts] = await Promise.all([page({}, signal), page({ status: "DRAFT" }, signal)]);
      return { schedules: [...newest.items, ...drafts.items, ...readBefore(cache)], isAll: !newest.nextCursor };
    },
  });
}

function page(filters: { status?: string }, signal: AbortSignal): Promise<SchedulePage> {
  const query = new URLSearchParams({ limit: String(NEWEST), ...filters });
  return api<SchedulePage>(`/v1/posts?${query}`, { signal });
}

/** What the calendar and the lists hold. */
function readBefore(cache: QueryClient): Schedule[] {
  const between = cache.getQueriesData<Shown>({ queryKey: BETWEEN }).flatMap(([, shown]) => shown?.items ?? []);
  const lists = cache.getQueriesData<InfiniteData<SchedulePage>>({
    queryKey: SCHEDULES,
    predicate: ({ queryKey: [, what] }) => typeof what === "number",
  });
  return [...between, ...lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])];
}
