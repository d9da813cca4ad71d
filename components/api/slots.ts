"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Slot } from "@/lib/time/slots";
import { readAnew } from "./anew";
import { api } from "./client";
import { SLOTS } from "./next-slots";

export type Weekday = Slot["weekday"];
/** Without a zone until some slots were given. */
export type Queue = { timeZone?: string; slots: Slot[] };
export type WantedQueue = { timeZone: string; slots: Slot[] };

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
    mutationFn: (queue: WantedQueue) => api<Queue>(pathOf(accountId), { method: "PUT", body: queue }),
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
