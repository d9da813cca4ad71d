"use client";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { z } from "zod";
import type { ValidationView } from "@/lib/api/shapes";
import { ApiFailure, apiTagged, callApi, readAnew } from "../../api/client";
import type { ApiAccount, ApiAccountOptions, ApiNewSchedule, ApiSchedule, SchedulePage } from "../../api/types";
import { type StoredFile, storedFile } from "../../library/stored-files";
import { AHEAD, OVER } from "../../posts/facts";
import type { OptionsResult } from "../targets/targets";
import { uploadWords } from "../uploads/words";
import type { Version } from "./local-storage";
import type { Submission } from "./submission";
import { isSameAsRequest } from "./submission";

/** Loads the options of accounts in their order, again for each new post because they may change. */
export function useOptionsOf(accounts: ApiAccount[]): OptionsResult[] {
  return useQueries({
    queries: accounts.map(({ id }) => ({
      queryKey: ["options", id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callApi<ApiAccountOptions>(`/v1/accounts/${id}/options`, { signal }),
      staleTime: 60_000,
    })),
    combine: optionsResults,
  });
}

/** `combine` keeps the list's identity while nothing in it changes. */
function optionsResults(results: { data: ApiAccountOptions | undefined; error: Error | null }[]): OptionsResult[] {
  return results.map(({ data, error }) => ({ options: data, error: error ?? undefined }));
}

/** A problem that `POST /v1/posts/validate` reports (docs/rules.md). */
export type CheckProblem = z.output<typeof ValidationView>["problems"][number];
export type PatchOperation = NonNullable<CheckProblem["apply"]>[number];

export async function checkSchedule(body: ApiNewSchedule, signal: AbortSignal): Promise<CheckProblem[]> {
  const checked = await callApi<{ problems: CheckProblem[] }>("/v1/posts/validate", { method: "POST", body, signal });
  return checked.problems;
}

/** A stored schedule with its version. */
export type StoredSchedule = { schedule: ApiSchedule; tag?: string };

/** A stored schedule with its files. */
export type OriginalSchedule = StoredSchedule & { files: StoredFile[] };

/** Someone else saved the schedule after this page read it. */
export class SavedMeanwhile extends Error {
  constructor(readonly theirs: StoredSchedule) {
    super("Somebody else saved it meanwhile.");
    this.name = "SavedMeanwhile";
  }
}

type Sending = Submission & {
  /** The schedule to replace: the edited one, or the draft of this post. */
  over?: Version;
  /** Replace only a draft: an old page must not undo what was planned or sent elsewhere. */
  isKept?: boolean;
};

/**
 * Creates or replaces a schedule. The idempotency key makes a repeat after no response safe.
 * @param onStored runs as soon as it is stored, also if the page was left meanwhile
 * @throws SavedMeanwhile if the schedule was changed by someone else
 */
export function useSend(onStored?: (sending: Sending) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key, over, isKept = false }: Sending) => {
      if (!over || (isKept && over.tag === undefined && !(await isStillDraft(over.id)))) return postSchedule(body, key);
      return updateSchedule(over, { body, key, isKept });
    },
    retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    onSuccess: ({ schedule }, sending) => {
      onStored?.(sending);
      return readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule", String(schedule.id)] });
    },
  });
}

export async function postSchedule(body: ApiNewSchedule, key: string): Promise<StoredSchedule> {
  const { value, tag } = await apiTagged<ApiSchedule>("/v1/posts", { method: "POST", body, idempotencyKey: key });
  return { schedule: value, tag };
}

async function readSchedule(id: number, signal?: AbortSignal): Promise<StoredSchedule> {
  const { value, tag } = await apiTagged<ApiSchedule>(`/v1/posts/${id}`, { signal });
  return { schedule: value, tag };
}

/** Whether the draft still exists. @throws ApiFailure (409) if it is no longer a draft */
async function isStillDraft(id: number): Promise<boolean> {
  try {
    const { overallStatus } = await callApi<ApiSchedule>(`/v1/posts/${id}`);
    if (overallStatus === "DRAFT") return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return false;
    throw error;
  }
  throw new ApiFailure(409, uploadWords.sending.elsewhere);
}

/** Deletes a schedule only if it is still a draft. */
export async function deleteDraft(id: number): Promise<void> {
  if (await isStillDraft(id)) await callApi<void>(`/v1/posts/${id}`, { method: "DELETE" });
}

type Replacing = Submission & { isKept: boolean };

/**
 * Replaces a schedule. If it was deleted meanwhile, it is created again so that the text is not lost. After a missing
 * response, a 409 means that the first request succeeded.
 * @throws SavedMeanwhile
 * @throws ApiFailure
 */
async function updateSchedule(over: Version, replacing: Replacing, wasSilent = false): Promise<StoredSchedule> {
  const { body, key } = replacing;
  try {
    const call = { method: "PUT", body, ifMatch: over.tag } as const;
    const { value, tag } = await apiTagged<ApiSchedule>(`/v1/posts/${over.id}`, call);
    return { schedule: value, tag };
  } catch (error) {
    const status = error instanceof ApiFailure ? error.status : undefined;
    if (status === 404) return postSchedule(body, key);
    if (status === 409 && wasSilent) return readSchedule(over.id);
    if (status === 412) return resolveConflict(await readSchedule(over.id), replacing);
    if (status === 0 && !wasSilent) return updateSchedule(over, replacing, true);
    throw error;
  }
}

/**
 * Handles a changed version. If it equals the request, this page saved it itself and only the response was lost.
 * @throws SavedMeanwhile
 * @throws ApiFailure (409) if only a draft was to be replaced and it no longer is one
 */
function resolveConflict(theirs: StoredSchedule, { body, isKept }: Replacing): StoredSchedule {
  if (isSameAsRequest(theirs.schedule, body)) return theirs;
  if (isKept && theirs.schedule.overallStatus !== "DRAFT") throw new ApiFailure(409, uploadWords.sending.elsewhere);
  throw new SavedMeanwhile(theirs);
}

/** Loads the schedule to edit or copy, with its files. */
export function useOriginal(id: number | undefined) {
  return useQuery({
    queryKey: ["original", id],
    queryFn: async ({ signal }): Promise<OriginalSchedule> => {
      const stored = await readSchedule(id ?? 0, signal);
      return { ...stored, files: await filesOf(stored.schedule) };
    },
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Loads a schedule's files; missing files are left out. */
export async function filesOf({ publications }: ApiSchedule): Promise<StoredFile[]> {
  const keys = publications.flatMap(({ posts }) =>
    posts.flatMap((post) => [...(post.attachmentPaths ?? []), ...(post.thumbnail ? [post.thumbnail] : [])]),
  );
  const files = await Promise.all([...new Set(keys)].map((key) => storedFile(key)));
  return files.filter((file) => file !== undefined);
}

const USED = [...AHEAD, ...OVER].join();

/** The IDs of the accounts of the newest post that is not a draft. */
export function useLastUsed(): string[] | undefined {
  const { data } = useQuery({
    queryKey: ["schedules", "last used"],
    queryFn: async ({ signal }) =>
      (await callApi<SchedulePage>(`/v1/posts?status=${USED}&limit=1`, { signal })).items[0] ?? null,
  });
  return useMemo(
    () => (data === undefined ? undefined : (data?.publications ?? []).map((one) => String(one.socialMediaAccountId))),
    [data],
  );
}

/** Loads schedules around an instant, to find the same text; nothing is requested without one. */
export function useSchedulesNear(at: number | undefined, withinMs: number) {
  return useQuery({
    queryKey: ["schedules", "near", at],
    queryFn: async ({ signal }) => {
      const around = at ?? 0;
      const query = new URLSearchParams({
        from: new Date(around - withinMs).toISOString(),
        to: new Date(around + withinMs).toISOString(),
        limit: "100",
      });
      return (await callApi<SchedulePage>(`/v1/posts?${query}`, { signal })).items;
    },
    enabled: at !== undefined,
    staleTime: 30_000,
  });
}
