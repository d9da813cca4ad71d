"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, readAnew } from "../api/client";
import { type ApiQueue, type NewQueue, SLOTS } from "../api/slots";

const keyOf = (accountId: number) => ["queue", accountId];
const pathOf = (accountId: number) => `/v1/accounts/${accountId}/slots`;

/** The weekly times of an account. */
export function useQueue(accountId: number) {
  return useQuery({
    queryKey: keyOf(accountId),
    queryFn: ({ signal }) => callApi<ApiQueue>(pathOf(accountId), { signal }),
  });
}

/**
 * Replaces an account's queue. Shown at once and reverted on failure. Requests run one after the other, so the last
 * one wins.
 */
export function useSetQueue(accountId: number) {
  const cache = useQueryClient();
  const key = keyOf(accountId);
  const isLast = () => cache.isMutating({ mutationKey: key }) === 1;
  return useMutation({
    mutationKey: key,
    scope: { id: key.join(" ") },
    mutationFn: (queue: NewQueue) => callApi<ApiQueue>(pathOf(accountId), { method: "PUT", body: queue }),
    onMutate: async (queue) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<ApiQueue>(key);
      cache.setQueryData<ApiQueue>(key, queue);
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
