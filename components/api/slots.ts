"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { QueueView } from "@/lib/api/shapes";
import { readAnew } from "./anew";
import { api } from "./client";
import { SLOTS } from "./next-slots";

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
