"use client";
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { searchWords } from "@/lib/search-text";
import { callApi, serverNow } from "../api/client";
import type { Shown } from "../api/every-schedule";
import { BETWEEN } from "../api/move-schedule";
import { useAccounts } from "../api/queries";
import type { ApiAccount, ApiSchedule, SchedulePage } from "../api/types";
import { useMedia, useSettled } from "../library/queries";
import { searchAccounts, searchFiles, searchPosts } from "./search";

/** More than are shown: the API returns the newest, and the best of them are shown. */
const ASKED = "20";
const SCHEDULES = ["schedules"];

/**
 * Posts to search: cached ones at once, then those that the API finds. `found` are the API's results, undefined until
 * it has answered for the exact text.
 */
export function usePostsToSearch(query: string) {
  const cache = useQueryClient();
  const [read] = useState(() => readBefore(cache));
  const typed = query.trim();
  const text = useSettled(typed);
  const isAsked = searchWords(text).length > 0;
  const { data, isPending, isPlaceholderData, error } = useQuery({
    queryKey: [...SCHEDULES, "saying", text],
    queryFn: ({ signal }) =>
      callApi<SchedulePage>(`/v1/posts?${new URLSearchParams({ text, limit: ASKED })}`, { signal }),
    enabled: isAsked,
    networkMode: "always", // otherwise being offline would go unnoticed
    placeholderData: (before) => before,
  });
  const answered = data?.items ?? [];
  const isAsking = text !== typed || (isAsked && (isPending || isPlaceholderData));
  return { known: [...read, ...answered], found: isAsked && !isAsking ? answered : undefined, isAsking, error };
}

/** The cached schedules of the calendar and the lists. */
function readBefore(cache: QueryClient): ApiSchedule[] {
  const between = cache.getQueriesData<Shown>({ queryKey: BETWEEN }).flatMap(([, shown]) => shown?.items ?? []);
  const lists = cache.getQueriesData<InfiniteData<Pick<SchedulePage, "items">>>({
    queryKey: SCHEDULES,
    predicate: ({ queryKey: [, what] }) => what === "list",
  });
  return [...between, ...lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])];
}

/** Matching accounts, posts and files; none before typing. */
export function useFound(query: string, networkOf: (account: ApiAccount) => string) {
  const accounts = useAccounts();
  const posts = usePostsToSearch(query);
  const isAsked = query.trim() !== "";
  const media = useMedia({ text: query.trim() }, isAsked);
  const files = media.data?.pages.flatMap(({ items }) => items) ?? [];
  return {
    accounts: isAsked ? searchAccounts(accounts.data ?? [], query, networkOf) : [],
    posts: isAsked ? searchPosts(posts, query, serverNow()) : [],
    files: isAsked ? searchFiles(files, query) : [],
    isReading: isAsked && (posts.isAsking || media.isOutdated || [accounts, media].some(({ isPending }) => isPending)),
    isCut: [accounts, media].some(({ isError, data }) => isError && !data),
    postsFailure: posts.error?.message,
  };
}

export type Found = ReturnType<typeof useFound>;
