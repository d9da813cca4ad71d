"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { NextSlotsView, QueueView } from "@/lib/api/shapes";
import { api, readAnew } from "./client";

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
const SLOTS = ["schedules", "slots"];
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

/** It has no time zone until its first times are set. */
export type Queue = z.output<typeof QueueView>;
export type QueueInput = Required<Queue>;
export type Weekday = Queue["slots"][number]["weekday"];

const keyOf = (accountId: number) => ["queue", accountId];
const pathOf = (accountId: number) => `/v1/accounts/${accountId}/slots`;

/** The weekly times of an account. */
export function useQueue(accountId: number) {
  return useQuery({
    queryKey: keyOf(accountId),
    queryFn: ({ signal }) => api<Queue>(pathOf(accountId), { signal }),
  });
}

/**
 * Puts a whole queue in the place of another: shown at once, and as it was where that failed. One after the other, so that the
 * last one asked for is the one that stays.
 */
export function useSetQueue(accountId: number) {
  const cache = useQueryClient();
  const key = keyOf(accountId);
  const isLast = () => cache.isMutating({ mutationKey: key }) === 1;
  return useMutation({
    mutationKey: key,
    scope: { id: key.join(" ") },
    mutationFn: (queue: QueueInput) => api<Queue>(pathOf(accountId), { method: "PUT", body: queue }),
    onMutate: async (queue) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<Queue>(key);
      cache.setQueryData<Queue>(key, queue);
      return { before };
    },
    onError: (_error, _queue, context) => {
      if (isLast()) cache.setQueryData(key, context?.before);
    },
    onSettled: async () => {
      if (!isLast()) return;
      await readAnew(cache, { queryKey: key }, { queryKey: SLOTS });
    },
  });
}
