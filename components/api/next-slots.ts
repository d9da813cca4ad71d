"use client";
import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { NextSlotsView } from "@/lib/api/shapes";
import { api } from "./client";

export type NextSlots = z.output<typeof NextSlotsView>;

type Wish = {
  /** Of all accounts where it is absent. */
  accountIds?: readonly (number | string)[];
  /** For one post to all of them, or the free slots of each. */
  match: "all" | "any";
  count: number;
  /** The instant after which they begin; now where it is absent. */
  after?: Date;
};

/** Among the schedules, whose every change may take one or give one back. */
export const SLOTS = ["schedules", "slots"];
const AGAIN_MS = 60_000;

/** The next free slots, looked up anew whenever somebody comes to see them: what was free a moment ago may be taken. */
export function useNextSlots({ accountIds, match, count, after }: Wish, isAsked = true) {
  const query = new URLSearchParams({ match, count: String(count) });
  if (accountIds) query.set("accountIds", accountIds.join(","));
  if (after) query.set("after", after.toISOString());
  return useQuery({
    queryKey: [...SLOTS, String(query)],
    queryFn: ({ signal }) => api<NextSlots>(`/v1/slots/next?${query}`, { signal }),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: AGAIN_MS,
  });
}
