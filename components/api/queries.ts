"use client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Platform } from "@/lib/platforms";
import { ApiFailure, api } from "./client";
import { nextLookMs } from "./polling";
import type { Account, Chat, NewSchedule, Schedule, SchedulePage } from "./types";

const ACCOUNTS = ["accounts"];
const SCHEDULES = ["schedules"];

export function useAccounts() {
  return useQuery({ queryKey: ACCOUNTS, queryFn: ({ signal }) => api<Account[]>("/v1/accounts", { signal }) });
}

/** Channels, Pages or boards of an account; looked up again now and then, because they are added elsewhere. */
export function useChats(accountId: number, platform: Platform, enabled = true) {
  return useQuery({
    queryKey: ["chats", accountId],
    queryFn: ({ signal }) => api<Chat[]>(`/v1/accounts/${accountId}/chats?platform=${platform}`, { signal }),
    enabled,
    refetchInterval: 10_000,
  });
}

export function useDisconnect() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (accountId: number) => api<void>(`/v1/accounts/${accountId}`, { method: "DELETE" }),
    onSuccess: () => cache.invalidateQueries(),
  });
}

/** Schedules, newest first, a page at a time; looks again sooner while something is about to happen. */
export function useSchedules(limit = 20) {
  return useInfiniteQuery({
    queryKey: [...SCHEDULES, limit],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(limit), ...(pageParam && { cursor: pageParam }) });
      return api<SchedulePage>(`/v1/posts?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
    refetchInterval: ({ state }) => nextLookMs(state.data?.pages.flatMap((page) => page.items) ?? []),
  });
}

export function useSchedule(id: string) {
  return useQuery({
    queryKey: [...SCHEDULES, "one", id],
    queryFn: ({ signal }) => api<Schedule>(`/v1/posts/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => nextLookMs(state.data ? [state.data] : []),
  });
}

export type Submission = { body: NewSchedule; key: string };

/** The key makes a repeat after silence harmless: the same submission is never scheduled twice. */
export function useCreateSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: Submission) =>
      api<Schedule>("/v1/posts", { method: "POST", body, idempotencyKey: key }),
    retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    onSuccess: () => cache.invalidateQueries({ queryKey: SCHEDULES }),
  });
}

export function useDeleteSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api<void>(`/v1/posts/${id}`, { method: "DELETE" }),
    onSuccess: () => cache.invalidateQueries({ queryKey: SCHEDULES }),
  });
}
