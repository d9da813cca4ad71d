"use client";
import { useQueries } from "@tanstack/react-query";
import type { Animation } from "@/lib/networks/animation";
import { ApiFailure, callApi } from "../api/client";
import type { ApiMedia } from "./queries";

// Apart from queries.ts and facts.ts, which would add the library's texts and queries to the composer's script.

export type StoredFile = Pick<ApiMedia, "path" | "filename" | "url" | "altText" | "thumbnailUrl"> & Animation;

/** Well below the lifetime of the signed URL. */
const FRESH_MS = 5 * 60_000;

/** The API path of a file, which contains only the object's name. */
export function addressOf(key: string): string {
  return `/v1/media/${encodeURIComponent(key.slice(key.indexOf("/") + 1))}`;
}

/** Loads a file by storage key; undefined for a deleted file or a web address. */
export async function storedFile(key: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
  if (/^https?:/i.test(key)) return undefined;
  try {
    return await callApi<StoredFile>(addressOf(key), { signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}

/** The files loaded so far, by key. */
export function useStoredFiles(keys: string[]): Map<string, StoredFile> {
  const answers = useQueries({
    queries: [...new Set(keys)].map((key) => ({
      queryKey: ["stored file", key],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await storedFile(key, signal)) ?? null,
      staleTime: FRESH_MS,
    })),
  });
  return new Map(answers.flatMap(({ data }) => (data ? [[data.path, data] as const] : [])));
}

/** The data that previews need of an animated image. */
export function animationOf(file: Animation): Animation | undefined {
  const { contentType, width, height, durationSeconds, frames = 1, orientation } = file;
  return frames > 1 ? { contentType, width, height, durationSeconds, frames, orientation } : undefined;
}
