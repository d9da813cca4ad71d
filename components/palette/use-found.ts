"use client";
import { serverNow } from "../api/clock";
import { useAccounts } from "../api/queries";
import type { Account } from "../api/types";
import { useMedia } from "../library/queries";
import { findAccounts, findFiles, findPosts } from "./found";
import { usePostsToSearch } from "./queries";

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
