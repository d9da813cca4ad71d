"use client";
import { serverNow } from "../api/clock";
import { useAccounts } from "../api/queries";
import type { Account } from "../api/types";
import { useMedia } from "../library/queries";
import { findAccounts, findFiles, findPosts, lookedAmong } from "./found";
import { NEWEST, usePostsToSearch } from "./queries";

/** Accounts, posts and files that answer; none until something is typed. Everything is read when the palette opens. */
export function useFound(query: string, networkOf: (account: Account) => string) {
  const accounts = useAccounts();
  const posts = usePostsToSearch();
  const media = useMedia();
  const files = media.data?.pages.flatMap(({ items }) => items) ?? [];
  const isAsked = query.trim() !== "";
  return {
    accounts: isAsked ? findAccounts(accounts.data ?? [], query, networkOf) : [],
    posts: isAsked ? findPosts(posts.data?.schedules ?? [], query, serverNow()) : [],
    files: isAsked ? findFiles(files, query) : [],
    amongPosts: lookedAmong({ isAll: posts.data?.isAll ?? false, newest: NEWEST }),
    amongFiles: media.hasNextPage ? `among the newest ${files.length}` : "among all of yours",
    isReading: isAsked && [accounts, posts, media].some(({ isPending }) => isPending),
    isCut: [accounts, posts, media].some(({ isError, data }) => isError && !data),
  };
}

export type Found = ReturnType<typeof useFound>;
