"use client";
import { useQueries } from "@tanstack/react-query";
import type { MovingImage } from "@/lib/networks/film";
import { ApiFailure, api } from "../api/client";
import type { Media } from "./queries";

export type StoredFile = Pick<Media, "path" | "filename" | "url" | "altText"> & MovingImage;

/** For how long its signed address is taken to hold: well below what it does. */
const FRESH_MS = 5 * 60_000;

/** Where the API has a file, by its storage key: there it goes by its name alone. */
export function addressOf(key: string): string {
  return `/v1/media/${encodeURIComponent(key.slice(key.indexOf("/") + 1))}`;
}

/** A file by its storage key; undefined for one that is gone and for an address on the web. */
export async function storedFile(key: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
  if (/^https?:/i.test(key)) return undefined;
  try {
    return await api<StoredFile>(addressOf(key), { signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}

/** The files that are known by now, by their keys. */
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
