"use client";
import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { NextSlotsView, QueueView } from "@/lib/api/shapes";
import { callApi } from "./client";

export type ApiNextSlots = z.output<typeof NextSlotsView>;

type NextSlotsQuery = {
  /** All accounts if omitted. */
  accountIds?: readonly (number | string)[];
  /** `all`: slots that are free for every account. `any`: free slots of each account. */
  match: "all" | "any";
  count: number;
  /** Now if omitted. */
  after?: Date;
};

/** Under the schedules' key, because any change of a schedule can take or free a slot. */
export const SLOTS = ["schedules", "slots"];
const AGAIN_MS = 60_000;

/** The next free slots. Never cached: a slot may be taken a moment later. */
export function useNextSlots({ accountIds, match, count, after }: NextSlotsQuery, isAsked = true) {
  const query = new URLSearchParams({ match, count: String(count) });
  if (accountIds) query.set("accountIds", accountIds.join(","));
  if (after) query.set("after", after.toISOString());
  return useQuery({
    queryKey: [...SLOTS, String(query)],
    queryFn: ({ signal }) => callApi<ApiNextSlots>(`/v1/slots/next?${query}`, { signal }),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: AGAIN_MS,
  });
}

/** It has no time zone until its first times are set. */
export type ApiQueue = z.output<typeof QueueView>;
export type NewQueue = Required<ApiQueue>;
export type Weekday = ApiQueue["slots"][number]["weekday"];
