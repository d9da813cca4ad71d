"use client";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { callApi, readAnew } from "./client";
import { nextLookMs, PAUSE_PER_REQUEST_MS, useIsLive } from "./live";
import { replacementOf } from "./move-schedule";
import type {
  ApiAccount,
  ApiAccountGroup,
  ApiAccountPlan,
  ApiAttention,
  ApiPostCounts,
  ApiReceipt,
  ApiSchedule,
  ApiScheduleStatus,
  Chat,
  Me,
  SchedulePage,
} from "./types";

const ACCOUNTS = ["accounts"];
const SCHEDULES = ["schedules"];

/** `isAwaited`: poll, because an account may appear after a bot conversation in another window. */
export function useAccounts({ isAwaited = false } = {}) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ACCOUNTS,
    queryFn: ({ signal }) => callApi<ApiAccount[]>("/v1/accounts", { signal }),
    refetchInterval: isAwaited && !isLive && 3_000,
  });
}

const GROUPS = ["account-groups"];

/** The user's groups of accounts, oldest first. */
export function useAccountGroups() {
  return useQuery({
    queryKey: GROUPS,
    queryFn: ({ signal }) => callApi<ApiAccountGroup[]>("/v1/account-groups", { signal }),
  });
}

export type GroupChange = Partial<Pick<ApiAccountGroup, "name" | "colour" | "accountIds">>;

/** Creates a group, or changes the one with this ID. */
export function useSaveGroup() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: GroupChange & { id?: number }) =>
      id === undefined
        ? callApi<ApiAccountGroup>("/v1/account-groups", { method: "POST", body })
        : callApi<ApiAccountGroup>(`/v1/account-groups/${id}`, { method: "PATCH", body }),
    onSettled: () => readAnew(cache, { queryKey: GROUPS }),
  });
}

export function useDeleteGroup() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi<void>(`/v1/account-groups/${id}`, { method: "DELETE" }),
    onSuccess: () => readAnew(cache, { queryKey: GROUPS }),
  });
}

/** What is planned on each account. Under the schedules' key, because any change of a schedule can change it. */
export function useAccountPlans() {
  return useQuery({
    queryKey: [...SCHEDULES, "plans"],
    queryFn: ({ signal }) => callApi<ApiAccountPlan[]>("/v1/accounts/plans", { signal }),
  });
}

const ATTENTION = [...SCHEDULES, "attention"];

/** What needs the user. Events update it; it is also polled, because a disabled webhook sends no event. */
export function useAttention() {
  return useQuery({
    queryKey: ATTENTION,
    queryFn: ({ signal }) => callApi<ApiAttention>("/v1/me/attention", { signal }),
    refetchInterval: 60_000,
  });
}

/** Marks what the user has seen as read. */
export function useReadAttention() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (readTime: string) => callApi<void>("/v1/me/attention", { method: "PUT", body: { readTime } }),
    onSuccess: () => readAnew(cache, { queryKey: ATTENTION }),
  });
}

/** Polled, because the operator can pause publishing at any time. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => callApi<Me>("/v1/me", { signal }),
    refetchInterval: 10_000,
  });
}

/** Polled, because destinations are added on the network. */
function chatsQuery({ id, platform }: Pick<ApiAccount, "id" | "platform">) {
  return {
    queryKey: ["chats", id],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callApi<Chat[]>(`/v1/accounts/${id}/chats?platform=${platform}`, { signal }),
    refetchInterval: 10_000,
  };
}

/** The channels, Pages or boards of an account. */
export function useChats(account: ApiAccount) {
  return useQuery(chatsQuery(account));
}

/** The chats of several accounts in their order; undefined while loading. */
export function useChatsOf(accounts: ApiAccount[]): (Chat[] | undefined)[] {
  return useQueries({ queries: accounts.map(chatsQuery), combine: dataOf });
}

function dataOf<T>(results: { data: T | undefined }[]): (T | undefined)[] {
  return results.map(({ data }) => data);
}

const PLANNED = 100;

/** Counts the schedules that still wait for an account, for the disconnect dialog. `isMore`: more than one page. */
export function usePlanned(accountId: number, isAsked: boolean) {
  const wanted = { accountId: String(accountId), status: "SCHEDULED,AWAITING_MEDIA", limit: String(PLANNED) };
  const query = new URLSearchParams(wanted);
  return useQuery({
    queryKey: [...SCHEDULES, "planned", accountId],
    queryFn: async ({ signal }) => {
      const { items, nextCursor } = await callApi<SchedulePage>(`/v1/posts?${query}`, { signal });
      return { count: items.length, isMore: nextCursor !== null };
    },
    enabled: isAsked,
  });
}

export function useDisconnect() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (accountId: number) => callApi<void>(`/v1/accounts/${accountId}`, { method: "DELETE" }),
    onSuccess: () => readAnew(cache, {}),
  });
}

/** The query parameters of a list without its page. */
type Filters = { [parameter: string]: string };

const PER_PAGE = 50;
/** The place in a list of several queries: the query, and its cursor. */
type ListPlace = { part: number; cursor?: string };

/**
 * The schedules that several queries of the API find, one query after the other, 50 at a time. Updated by events, or else by
 * polling that is faster when something is due.
 */
export function useScheduleList(parts: Filters[]) {
  const isLive = useIsLive();
  return useInfiniteQuery({
    queryKey: [...SCHEDULES, "list", parts],
    queryFn: ({ pageParam, signal }) => readAcross(parts, pageParam, signal),
    initialPageParam: { part: 0 },
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? [];
      return !isLive && Math.max(nextLookMs(pages.flatMap((page) => page.items)), pages.length * PAUSE_PER_REQUEST_MS);
    },
  });
}

async function readAcross(parts: Filters[], { part, cursor }: ListPlace, signal: AbortSignal) {
  const items: ApiSchedule[] = [];
  let at: ListPlace = { part, cursor };
  for (let one = parts[at.part]; one && items.length < PER_PAGE; one = parts[at.part]) {
    const limit = String(PER_PAGE - items.length);
    const query = new URLSearchParams({ ...one, limit, ...(at.cursor && { cursor: at.cursor }) });
    const page = await callApi<SchedulePage>(`/v1/posts?${query}`, { signal });
    items.push(...page.items);
    at = page.nextCursor ? { part: at.part, cursor: page.nextCursor } : { part: at.part + 1 };
  }
  return { items, next: at.part < parts.length ? at : undefined };
}

/** The query of how many schedules with these filters there are of each status. */
export function scheduleCounts(filters: Filters) {
  return {
    queryKey: [...SCHEDULES, "counts", filters],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callApi<ApiPostCounts>(`/v1/posts/counts?${new URLSearchParams(filters)}`, { signal }),
  };
}

/** How many schedules with these filters there are of each status. */
export function useScheduleCounts(filters: Filters, isWanted = true) {
  return useQuery({ ...scheduleCounts(filters), placeholderData: keepPreviousData, enabled: isWanted });
}

/**
 * The first schedules with one of these statuses, sorted by their time, the earliest or the latest first. Whether there is any is
 * then certain, however many schedules there are.
 */
export function useFirstSchedules(statuses: ApiScheduleStatus[], sort: "earliest" | "latest", limit: number) {
  const isLive = useIsLive();
  const order = sort === "earliest" ? "scheduledTime" : "-scheduledTime";
  const query = new URLSearchParams({ status: statuses.join(), sort: order, limit: String(limit) });
  return useQuery({
    queryKey: [...SCHEDULES, "first", sort, statuses, limit],
    queryFn: async ({ signal }) => (await callApi<SchedulePage>(`/v1/posts?${query}`, { signal })).items,
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data ?? []),
  });
}

/** The newest drafts, with or without a time. */
export function useDrafts(limit: number) {
  return useQuery({
    queryKey: [...SCHEDULES, "drafts", limit],
    queryFn: async ({ signal }) =>
      (await callApi<SchedulePage>(`/v1/posts?status=DRAFT&limit=${limit}`, { signal })).items,
  });
}

export function useSchedule(id: string) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ["schedule", id],
    queryFn: ({ signal }) => callApi<ApiSchedule>(`/v1/posts/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => !isLive && nextLookMs(state.data ? [state.data] : []),
  });
}

/** The attempts of each publication; refetched when the schedule changes. */
export function useReceipt(schedule: ApiSchedule) {
  return useQuery({
    queryKey: [
      "schedule",
      String(schedule.id),
      "receipt",
      schedule.publications.map(({ status, firstComment }) => [status, firstComment?.status]),
    ],
    queryFn: ({ signal }) => callApi<ApiReceipt>(`/v1/posts/${schedule.id}/receipt`, { signal }),
    refetchInterval: nextLookMs([schedule]),
    placeholderData: (before) => before,
  });
}

/** Retries failed publications. One that may be out already is looked up on its network, and sent again only with `sendAgain`. */
export function useRetrySchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, sendAgain = false }: { id: number; sendAgain?: boolean }) =>
      callApi<ApiSchedule>(`/v1/posts/${id}/retry`, { method: "POST", body: { sendAgain } }),
    onSettled: (_, __, { id }) => readAnew(cache, { queryKey: ["schedule", String(id)] }, { queryKey: SCHEDULES }),
  });
}

export function useDeleteSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: ApiSchedule) => callApi<void>(`/v1/posts/${id}`, { method: "DELETE" }),
    onSuccess: (_, { id }) => {
      cache.removeQueries({ queryKey: ["schedule", String(id)] });
      cache.removeQueries({ queryKey: SCHEDULES, type: "inactive" }); // lists would show it until they are loaded again
      return readAnew(cache, { queryKey: SCHEDULES });
    },
  });
}

/** Creates a deleted schedule again under a new ID. */
export function useRestoreSchedule() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (schedule: ApiSchedule) =>
      callApi<ApiSchedule>("/v1/posts", {
        method: "POST",
        body: replacementOf(schedule, {}),
        idempotencyKey: `restore-${schedule.id}`,
      }),
    onSuccess: () => readAnew(cache, { queryKey: SCHEDULES }),
  });
}
