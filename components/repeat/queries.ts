"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { readAnew } from "../api/anew";
import { api } from "../api/client";
import type { RepeatResult } from "./dates";
import type { Wish } from "./wish";

const pathOf = (id: string) => `/v1/posts/${encodeURIComponent(id)}/repeat`;

/** The dates of a wish; those before stay while others are asked for. Nothing is stored. */
export function useDates(id: string, wish: Wish | undefined) {
  return useQuery({
    queryKey: ["repeat", id, wish],
    queryFn: ({ signal }) => api<RepeatResult>(`${pathOf(id)}?dryRun=true`, { method: "POST", body: wish, signal }),
    enabled: wish !== undefined,
    placeholderData: (before) => before,
    retry: false,
  });
}

/** Creates them, once for a key however often it is pressed. */
export function useRepeat(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ wish, key }: { wish: Wish; key: string }) =>
      api<RepeatResult>(pathOf(id), { method: "POST", body: wish, idempotencyKey: key }),
    onSuccess: () => readAnew(cache, { queryKey: ["schedules"] }),
  });
}
