"use client";
import { useInfiniteQuery, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiFailure, api } from "./client";
import { nextLookMs } from "./polling";
import type { Account, Chat, NewSchedule, Schedule, SchedulePage } from "./types";

const ACCOUNTS = ["accounts"];
const SCHEDULES = ["schedules"];

/** `isLive` where an account may appear by itself: a bot's talk ends in another window. */
export function useAccounts({ isLive = false } = {}) {
  return useQuery({
    queryKey: ACCOUNTS,
    queryFn: ({ signal }) => api<Account[]>("/v1/accounts", { signal }),
    refetchInterval: isLive && 3_000,
  });
}

/** Looked up again now and then, because destinations are added elsewhere. */
function chatsQuery({ id, platform }: Pick<Account, "id" | "platform">) {
  return {
    queryKey: ["chats", id],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api<Chat[]>(`/v1/accounts/${id}/chats?platform=${platform}`, { signal }),
    refetchInterval: 10_000,
  };
}

/** The channels, Pages or boards of an account. */
export function useChats(account: Account) {
  return useQuery(chatsQuery(account));
}

/** The same for several accounts, in their order; undefined while one is being read. */
export function useChatsOf(accounts: Account[]): (Chat[] | undefined)[] {
  return useQueries({ queries: accounts.map(chatsQuery) }).map(({ data }) => data);
}

const PLANNED = 100;

/** How many schedules still wait for an account, asked only when somebody is about to disconnect it; `isMore` beyond a page. */
export function usePlanned(accountId: number, isAsked: boolean) {
  const count = async (status: string, signal: AbortSignal) => {
    const query = new URLSearchParams({ accountId: String(accountId), status, limit: String(PLANNED) });
    return (await api<SchedulePage>(`/v1/posts?${query}`, { signal })).items.length;
  };
  return useQuery({
    queryKey: [...SCHEDULES, "planned", accountId],
    queryFn: async ({ signal }) => {
      const counts = await Promise.all(["SCHEDULED", "AWAITING_MEDIA"].map((status) => count(status, signal)));
      return { count: counts.reduce((sum, one) => sum + one, 0), isMore: counts.includes(PLANNED) };
    },
    enabled: isAsked,
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
    queryKey: ["schedule", id],
    queryFn: ({ signal }) => api<Schedule>(`/v1/posts/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => nextLookMs(state.data ? [state.data] : []),
  });
}

type Checked = { problems: { path: string; rule: string; message: string }[] };

/** What creating a schedule from this body, as JSON, would meet; nothing is asked while it is empty. */
export function useChecked(body: string) {
  return useQuery({
    queryKey: ["checked", body],
    queryFn: ({ signal }) => api<Checked>("/v1/posts/validate", { method: "POST", body: JSON.parse(body), signal }),
    enabled: body !== "",
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
