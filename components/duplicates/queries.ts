"use client";
import { useInfiniteQuery, useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { DuplicateList } from "@/lib/api/shapes";
import { ApiFailure, callApi, readAnew } from "../api/client";
import type { ApiSchedule } from "../api/types";
import type { MergeChoice } from "./choice";
import type { ApiMergeReport } from "./summary";

type Page = Omit<z.output<typeof DuplicateList>, "items"> & { items: SameGroup[] };
/** `more`: how many more near-duplicates there are than can be merged at once. */
export type SameGroup = { schedules: ApiSchedule[]; more?: number };

const SCHEDULES = ["schedules"];

/**
 * Loads groups of near-duplicates, refetched with all schedules.
 * @param withinHours the maximum distance in time; any if empty
 * @param isMerging pauses refetching, because each removed post is an event
 */
export function useDuplicates(withinHours: string, isMerging: boolean) {
  return useInfiniteQuery({
    queryKey: [...SCHEDULES, "duplicates", withinHours],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(withinHours && { withinHours }),
        ...(pageParam && { cursor: pageParam }),
      });
      return callApi<Page>(`/v1/posts/duplicates?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
    enabled: !isMerging,
  });
}

/** The dry run of a merge, or its error. */
export type Plan = { report?: ApiMergeReport; error?: Error };

/** A possible merge with the ticked posts. */
export type PossibleMerge = { input: MergeChoice; posts: ApiSchedule[] };

/**
 * Dry runs of the merges, in their order; undefined for no merge. A result is reused until one of its posts changes.
 */
export function usePlans(merges: (PossibleMerge | undefined)[], isMerging: boolean): (Plan | undefined)[] {
  const plans = useQueries({
    queries: merges
      .filter((one) => one !== undefined)
      .map(({ input, posts }) => ({
        queryKey: ["merge", input, posts],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          callApi<ApiMergeReport>("/v1/posts/merge?dryRun=true", { method: "POST", body: input, signal }),
        retryDelay: waitMs,
        staleTime: 60_000, // an account or a file may be deleted meanwhile, which is rare
        enabled: !isMerging,
      })),
  }).values();
  return merges.map((one): Plan | undefined => {
    if (!one) return undefined;
    const { data: report, error } = plans.next().value ?? {};
    return { report, error: error ?? undefined };
  });
}

/** A merge without problems. */
export type Ready = {
  name: string;
  input: MergeChoice;
  /** What would be lost, one sentence each. */
  losses: string[];
};

/** The result of a merge; `isUnknown`: it may or may not have succeeded. */
export type MergeOutcome = { name: string; input: MergeChoice; error?: Error; isUnknown?: boolean };

/** Runs the merges one after the other. Each is atomic. */
export function useMerges() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ready: Ready[]) => {
      const outcomes: MergeOutcome[] = [];
      for (const { name, input } of ready) outcomes.push({ name, input, ...(await merge(input)) });
      return outcomes;
    },
    onSettled: () => readAnew(cache, { queryKey: SCHEDULES }, { queryKey: ["schedule"] }),
  });
}

const MOST_TRIES = 4;

/** With the key, the request can be repeated safely if the response was lost. */
async function merge(input: MergeChoice): Promise<Pick<MergeOutcome, "error" | "isUnknown">> {
  const idempotencyKey = crypto.randomUUID();
  let isUnknown = false;
  for (let failures = 0; ; failures++) {
    try {
      await callApi<ApiMergeReport>("/v1/posts/merge", { method: "POST", body: input, idempotencyKey });
      return {};
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { status } = error;
      // After a missing response, the first request may still be running (409), or it is too soon to know (429).
      isUnknown = status === 0 || status >= 500 || (isUnknown && (status === 409 || status === 429));
      if (status !== 429 && (!isUnknown || failures + 1 >= MOST_TRIES)) return { error, isUnknown };
      await new Promise((resolve) => setTimeout(resolve, waitMs(failures, error)));
    }
  }
}

/** `Retry-After`, or 1, 2, 4 seconds. */
function waitMs(failures: number, error: Error): number {
  const seconds = error instanceof ApiFailure ? error.retryAfterSeconds : undefined;
  return (seconds ?? 2 ** failures) * 1000;
}
