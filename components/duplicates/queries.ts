"use client";
import { useInfiniteQuery, useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { DuplicateList } from "@/lib/api/shapes";
import { ApiFailure, api, readAnew } from "../api/client";
import type { Schedule } from "../api/types";
import type { Wish } from "./choice";
import type { MergeResult } from "./summary";

type Page = Omit<z.output<typeof DuplicateList>, "items"> & { items: SameGroup[] };
/** `more`: how many more near-duplicates there are than can be merged at once. */
export type SameGroup = { schedules: Schedule[]; more?: number };

const SCHEDULES = ["schedules"];

/**
 * Groups of posts that say the same, read anew with all that is planned.
 * @param withinHours how near in time; however far without
 * @param isMerging each post that a merge removes is an event: what they leave is read once, when all is done
 */
export function useDuplicates(withinHours: string, isMerging: boolean) {
  return useInfiniteQuery({
    queryKey: [...SCHEDULES, "duplicates", withinHours],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(withinHours && { withinHours }),
        ...(pageParam && { cursor: pageParam }),
      });
      return api<Page>(`/v1/posts/duplicates?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
    enabled: !isMerging,
  });
}

/** What would come of a merge, or why nobody knows. */
export type Plan = { report?: MergeResult; error?: Error };

/** A merge that may be asked for, and the posts that are ticked for it. */
export type Wished = { wish: Wish; posts: Schedule[] };

/**
 * What would come of each of these merges, in their order; nothing is stored. Undefined for none. A plan holds for the posts as
 * they are shown: it is asked for again where one of those was changed, not with all that happens elsewhere.
 */
export function usePlans(wished: (Wished | undefined)[], isMerging: boolean): (Plan | undefined)[] {
  const plans = useQueries({
    queries: wished
      .filter((one) => one !== undefined)
      .map(({ wish, posts }) => ({
        queryKey: ["merge", wish, posts],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          api<MergeResult>("/v1/posts/merge?dryRun=true", { method: "POST", body: wish, signal }),
        retryDelay: waitMs,
        staleTime: 60_000, // an account or a file may be gone meanwhile, which is rare
        enabled: !isMerging,
      })),
  }).values();
  return wished.map((one): Plan | undefined => {
    if (!one) return undefined;
    const { data: report, error } = plans.next().value ?? {};
    return { report, error: error ?? undefined };
  });
}

/** A merge that nothing is in the way of. */
export type Ready = {
  name: string;
  wish: Wish;
  /** What somebody may not want to lose by it, a sentence each. */
  losses: string[];
};

/** A merge that was asked for, and where it was not done, why; `isUnknown` where nobody knows whether it was. */
export type Outcome = { name: string; wish: Wish; error?: Error; isUnknown?: boolean };

/** Merges one after the other, each in one go or not at all, and tells what came of each. */
export function useMerges() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ready: Ready[]) => {
      const outcomes: Outcome[] = [];
      for (const { name, wish } of ready) outcomes.push({ name, wish, ...(await merge(wish)) });
      return outcomes;
    },
    onSettled: () => readAnew(cache, { queryKey: SCHEDULES }, { queryKey: ["schedule"] }),
  });
}

const MOST_TRIES = 4;

/** The key makes it harmless to ask again where nobody knows what came of it. */
async function merge(wish: Wish): Promise<Pick<Outcome, "error" | "isUnknown">> {
  const idempotencyKey = crypto.randomUUID();
  let isUnknown = false;
  for (let failures = 0; ; failures++) {
    try {
      await api<MergeResult>("/v1/posts/merge", { method: "POST", body: wish, idempotencyKey });
      return {};
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { status } = error;
      // After silence the first one may still be at it, which is a 409, or it is too soon to know, which is a 429.
      isUnknown = status === 0 || status >= 500 || (isUnknown && (status === 409 || status === 429));
      if (status !== 429 && (!isUnknown || failures + 1 >= MOST_TRIES)) return { error, isUnknown };
      await new Promise((resolve) => setTimeout(resolve, waitMs(failures, error)));
    }
  }
}

/** As long as the API says, or one second, then two, then four. */
function waitMs(failures: number, error: Error): number {
  const seconds = error instanceof ApiFailure ? error.retryAfterSeconds : undefined;
  return (seconds ?? 2 ** failures) * 1000;
}
