"use client";
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { searchWords } from "@/lib/schedules/search-text";
import { api, serverNow } from "../api/client";
import type { Shown } from "../api/every-schedule";
import { BETWEEN } from "../api/move-schedule";
import { useAccounts } from "../api/queries";
import type { Account, Schedule, SchedulePage } from "../api/types";
import { useMedia } from "../library/queries";
import { findAccounts, findFiles, findPosts } from "./search";

const PAUSE_MS = 200;

/** A text once it has stayed the same for a moment, so that not every letter that is typed is asked for. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** More than are shown: the newest come, and of those the best are. */
const ASKED = "20";
const SCHEDULES = ["schedules"];

/**
 * Posts to look through for what is typed: those that the pages have read are there at once, and those that the service finds
 * among all join them. `found` are the service's own, undefined until it has answered for exactly what is typed.
 */
export function usePostsToSearch(query: string) {
  const cache = useQueryClient();
  const [read] = useState(() => readBefore(cache));
  const typed = query.trim();
  const text = useSettled(typed);
  const isAsked = searchWords(text).length > 0;
  const { data, isPending, isPlaceholderData, error } = useQuery({
    queryKey: [...SCHEDULES, "saying", text],
    queryFn: ({ signal }) => api<SchedulePage>(`/v1/posts?${new URLSearchParams({ text, limit: ASKED })}`, { signal }),
    enabled: isAsked,
    networkMode: "always", // else nobody would be told that the line is down
    placeholderData: (before) => before,
  });
  const answered = data?.items ?? [];
  const isAsking = text !== typed || (isAsked && (isPending || isPlaceholderData));
  return { known: [...read, ...answered], found: isAsked && !isAsking ? answered : undefined, isAsking, error };
}

/** What the calendar and the lists hold. */
function readBefore(cache: QueryClient): Schedule[] {
  const between = cache.getQueriesData<Shown>({ queryKey: BETWEEN }).flatMap(([, shown]) => shown?.items ?? []);
  const lists = cache.getQueriesData<InfiniteData<SchedulePage>>({
    queryKey: SCHEDULES,
    predicate: ({ queryKey: [, what] }) => typeof what === "number",
  });
  return [...between, ...lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])];
}

/** Accounts, posts and files that answer; none until something is typed. */
export function useFound(query: string, networkOf: (account: Account) => string) {
  const accounts = useAccounts();
  const posts = usePostsToSearch(query);
  const media = useMedia();
  const files = media.data?.pages.flatMap(({ items }) => items) ?? [];
  const isAsked = query.trim() !== "";
  return {
    accounts: isAsked ? findAccounts(accounts.data ?? [], query, networkOf) : [],
    posts: isAsked ? findPosts(posts, query, serverNow()) : [],
    files: isAsked ? findFiles(files, query) : [],
    /** Among how many of the newest was looked; undefined where that is all of them. */
    newestFiles: media.hasNextPage ? files.length : undefined,
    isReading: isAsked && (posts.isAsking || [accounts, media].some(({ isPending }) => isPending)),
    isCut: [accounts, media].some(({ isError, data }) => isError && !data),
    postsFailure: posts.error?.message,
  };
}

export type Found = ReturnType<typeof useFound>;
