"use client";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { ValidationView } from "@/lib/api/shapes";
import { ApiFailure, api, apiTagged, readAnew } from "../../api/client";
import type { Account, AccountOptions, NewSchedule, Schedule, SchedulePage } from "../../api/types";
import { type StoredFile, storedFile } from "../../library/queries";
import { uploadWords } from "../uploads/words";
import type { Version } from "./local-storage";
import type { Submission } from "./submission";
import { isSameAsRequest } from "./submission";

/** What an account's network lets it choose just now, or why it lets it choose nothing. */
export type OptionsResult = { options?: AccountOptions; error?: Error };

/** Asked anew whenever a post is begun, because the network may have changed it since; in the order of the accounts. */
export function useOptionsOf(accounts: Account[]): OptionsResult[] {
  return useQueries({
    queries: accounts.map(({ id }) => ({
      queryKey: ["options", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => api<AccountOptions>(`/v1/accounts/${id}/options`, { signal }),
      staleTime: 60_000,
    })),
    combine: optionsResults,
  });
}

/** The same list as long as nothing in it changes, which `combine` sees to. */
function optionsResults(results: { data: AccountOptions | undefined; error: Error | null }[]): OptionsResult[] {
  return results.map(({ data, error }) => ({ options: data, error: error ?? undefined }));
}

/** A problem that `POST /v1/posts/validate` reports (docs/rules.md). */
export type CheckProblem = z.output<typeof ValidationView>["problems"][number];
export type PatchOperation = NonNullable<CheckProblem["apply"]>[number];

export async function checkSchedule(body: NewSchedule, signal: AbortSignal): Promise<CheckProblem[]> {
  const checked = await api<{ problems: CheckProblem[] }>("/v1/posts/validate", { method: "POST", body, signal });
  return checked.problems;
}

/** A schedule as the service has it, and which version that is. */
export type StoredSchedule = { schedule: Schedule; tag?: string };

/** The same, with what is known of its files. */
export type OriginalSchedule = StoredSchedule & { files: StoredFile[] };

/** Somebody else saved it after it was read here. */
export class SavedMeanwhile extends Error {
  constructor(readonly theirs: StoredSchedule) {
    super("Somebody else saved it meanwhile.");
    this.name = "SavedMeanwhile";
  }
}

type Sending = Submission & {
  /** What it replaces: a schedule that is being edited, or the draft that it was kept as. */
  over?: Version;
  /** Only a draft is replaced: what was planned or sent elsewhere meanwhile is not taken back by an old page. */
  isKept?: boolean;
};

/**
 * Schedules it, or keeps it as a draft. The key makes a repeat after silence harmless: nothing is scheduled twice. It ends with
 * `SavedMeanwhile` where what it replaces is another by now.
 */
export function useSend() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key, over, isKept = false }: Sending) => {
      if (!over || (isKept && over.tag === undefined && !(await isStillDraft(over.id))))
        return createSchedule(body, key);
      return updateSchedule(over, { body, key, isKept });
    },
    retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    onSuccess: ({ schedule }) =>
      readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule", String(schedule.id)] }),
  });
}

export async function createSchedule(body: NewSchedule, key: string): Promise<StoredSchedule> {
  const { value, tag } = await apiTagged<Schedule>("/v1/posts", { method: "POST", body, idempotencyKey: key });
  return { schedule: value, tag };
}

async function readSchedule(id: number, signal?: AbortSignal): Promise<StoredSchedule> {
  const { value, tag } = await apiTagged<Schedule>(`/v1/posts/${id}`, { signal });
  return { schedule: value, tag };
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
  throw new ApiFailure(409, uploadWords.sending.elsewhere);
}

/** Deletes a draft; what has become more than that is left alone. */
export async function deleteDraft(id: number): Promise<void> {
  if (await isStillDraft(id)) await api<void>(`/v1/posts/${id}`, { method: "DELETE" });
}

type Replacing = Submission & { isKept: boolean };

/**
 * A draft that somebody deleted meanwhile is written anew: what is on the page must not be lost with it. After silence a
 * schedule that can no longer be changed is the one that was sent.
 * @throws SavedMeanwhile; ApiFailure
 */
async function updateSchedule(over: Version, replacing: Replacing, wasSilent = false): Promise<StoredSchedule> {
  const { body, key } = replacing;
  try {
    const call = { method: "PUT", body, ifMatch: over.tag } as const;
    const { value, tag } = await apiTagged<Schedule>(`/v1/posts/${over.id}`, call);
    return { schedule: value, tag };
  } catch (error) {
    const status = error instanceof ApiFailure ? error.status : undefined;
    if (status === 404) return createSchedule(body, key);
    if (status === 409 && wasSilent) return readSchedule(over.id);
    if (status === 412) return resolveConflict(await readSchedule(over.id), replacing);
    if (status === 0 && !wasSilent) return updateSchedule(over, replacing, true);
    throw error;
  }
}

/**
 * Somebody was quicker, and be it this page itself with an answer that was lost: then it is what it should be.
 * @throws SavedMeanwhile; ApiFailure (409) where a draft was to be kept that is none any more
 */
function resolveConflict(theirs: StoredSchedule, { body, isKept }: Replacing): StoredSchedule {
  if (isSameAsRequest(theirs.schedule, body)) return theirs;
  if (isKept && theirs.schedule.overallStatus !== "DRAFT") throw new ApiFailure(409, uploadWords.sending.elsewhere);
  throw new SavedMeanwhile(theirs);
}

/** The schedule to begin from, with what is known of its files. */
export function useOriginal(id: number | undefined) {
  return useQuery({
    queryKey: ["original", id],
    queryFn: async ({ signal }): Promise<OriginalSchedule> => {
      const stored = await readSchedule(id ?? 0, signal);
      return { ...stored, files: await filesOf(stored.schedule, signal) };
    },
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What is known of a schedule's files; one that is gone is left unknown. */
export async function filesOf({ publications }: Schedule, signal?: AbortSignal): Promise<StoredFile[]> {
  const keys = publications.flatMap(({ posts }) =>
    posts.flatMap((post) => [...(post.attachmentPaths ?? []), ...(post.thumbnail ? [post.thumbnail] : [])]),
  );
  const files = await Promise.all([...new Set(keys)].map((key) => storedFile(key, signal)));
  return files.filter((file) => file !== undefined);
}

/** What is planned or out within so much time of an instant, to find the same text in; nothing is asked without one. */
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
      return (await api<SchedulePage>(`/v1/posts?${query}`, { signal })).items;
    },
    enabled: at !== undefined,
    staleTime: 30_000,
  });
}
