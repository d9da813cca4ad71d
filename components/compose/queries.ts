"use client";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { readAnew } from "../api/anew";
import { ApiFailure, api } from "../api/client";
import type { Account, AccountOptions, NewSchedule, Schedule, SchedulePage } from "../api/types";
import { storedFile } from "../library/stored-files";
import type { Submission } from "./submission";

/** What an account's network lets it choose just now, or why it lets it choose nothing. */
export type Asked = { options?: AccountOptions; error?: Error };

/** Asked anew whenever a post is begun, because the network may have changed it since; in the order of the accounts. */
export function useOptionsOf(accounts: Account[]): Asked[] {
  return useQueries({
    queries: accounts.map(({ id }) => ({
      queryKey: ["options", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => api<AccountOptions>(`/v1/accounts/${id}/options`, { signal }),
      staleTime: 60_000,
    })),
    combine: askedOf,
  });
}

/** The same list as long as nothing in it changes, which `combine` sees to. */
function askedOf(results: { data: AccountOptions | undefined; error: Error | null }[]): Asked[] {
  return results.map(({ data, error }) => ({ options: data, error: error ?? undefined }));
}

/** What `POST /v1/posts/validate` says of one thing that is wrong (docs/rules.md). */
export type Found = {
  /** `publications[0].posts[1].content` */
  path: string;
  rule: string;
  message: string;
  measured?: number | string;
  limit?: number | string | string[] | { min?: number; max?: number };
  fix?: string;
  /** A JSON Patch of the body that makes it go away. */
  apply?: Operation[];
  severity?: "warning";
};

export type Operation = { op: "add" | "replace"; path: string; value: unknown } | { op: "remove"; path: string };

export async function validate(body: NewSchedule, signal: AbortSignal): Promise<Found[]> {
  const verdict = await api<{ problems: Found[] }>("/v1/posts/validate", { method: "POST", body, signal });
  return verdict.problems;
}

type Sending = Submission & {
  /** The schedule that it replaces: one that is being edited, or the draft that it was kept as. */
  id?: number;
  /** Only a draft is replaced: what was planned or sent elsewhere meanwhile is not taken back by an old page. */
  isKept?: boolean;
};

/** Schedules it, or keeps it as a draft. The key makes a repeat after silence harmless: nothing is scheduled twice. */
export function useSend() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key, id, isKept }: Sending) => {
      if (id === undefined || (isKept && !(await isStillDraft(id)))) return create(body, key);
      return replace(id, body, key);
    },
    retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    onSuccess: (schedule) =>
      readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule", String(schedule.id)] }),
  });
}

function create(body: NewSchedule, key: string): Promise<Schedule> {
  return api<Schedule>("/v1/posts", { method: "POST", body, idempotencyKey: key });
}

/**
 * Whether it is there, as a draft.
 * @throws ApiFailure (409) where it is there and no draft
 */
async function isStillDraft(id: number): Promise<boolean> {
  try {
    const { overallStatus } = await api<Schedule>(`/v1/posts/${id}`);
    if (overallStatus === "DRAFT") return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return false;
    throw error;
  }
  throw new ApiFailure(409, "It was scheduled or sent from another page meanwhile.");
}

/** Deletes a draft; what has become more than that is left alone. */
export async function deleteDraft(id: number): Promise<void> {
  if (await isStillDraft(id)) await api<void>(`/v1/posts/${id}`, { method: "DELETE" });
}

/**
 * A draft that somebody deleted meanwhile is written anew: what is on the page must not be lost with it. After silence a
 * schedule that can no longer be changed is the one that was sent.
 */
async function replace(id: number, body: NewSchedule, key: string, wasSilent = false): Promise<Schedule> {
  const path = `/v1/posts/${id}`;
  try {
    return await api<Schedule>(path, { method: "PUT", body });
  } catch (error) {
    const status = error instanceof ApiFailure ? error.status : undefined;
    if (status === 404) return create(body, key);
    if (status === 409 && wasSilent) return api<Schedule>(path);
    if (status === 0 && !wasSilent) return replace(id, body, key, true);
    throw error;
  }
}

/** The schedule to begin from, with what is known of its files; a file that is gone is left unknown. */
export function useOriginal(id: number | undefined) {
  return useQuery({
    queryKey: ["original", id],
    queryFn: async ({ signal }) => {
      const schedule = await api<Schedule>(`/v1/posts/${id}`, { signal });
      const keys = schedule.publications.flatMap(({ posts }) => posts.flatMap((post) => post.attachmentPaths ?? []));
      const files = await Promise.all([...new Set(keys)].map((key) => storedFile(key, signal)));
      return { schedule, files: files.filter((file) => file !== undefined) };
    },
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What is planned or out within so much time of an instant, to find the same text in; nothing is asked without one. */
export function useNear(at: number | undefined, withinMs: number) {
  return useQuery({
    queryKey: ["schedules", "near", at],
    queryFn: async ({ signal }) => {
      const around = at ?? 0;
      const query = new URLSearchParams({
        from: new Date(around - withinMs).toISOString(),
        to: new Date(around + withinMs).toISOString(),
        limit: "100",
      });
      return (await api<SchedulePage>(`/v1/posts?${query}`, { signal })).items;
    },
    enabled: at !== undefined,
    staleTime: 30_000,
  });
}
