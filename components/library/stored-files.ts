"use client";
import { useQueries } from "@tanstack/react-query";
import type { Animation } from "@/lib/networks/animation";
import { callApi } from "../api/client";
import type { ApiMedia } from "./queries";

// Apart from queries.ts and facts.ts, which would add the library's texts and queries to the composer's script.

export type StoredFile = Pick<ApiMedia, "path" | "filename" | "url" | "altText" | "thumbnailUrl"> & Animation;

/** Well below the lifetime of the signed URL. */
const FRESH_MS = 5 * 60_000;

/** The API path of a file, which contains only the object's name. */
export function addressOf(key: string): string {
  return `/v1/media/${encodeURIComponent(nameOf(key))}`;
}

const nameOf = (key: string) => key.slice(key.indexOf("/") + 1);

/** The most files of one request. */
const MOST = 100;

type Batch = { keys: Set<string>; answer: Promise<{ items: StoredFile[] }> };
let open: Batch | undefined;

/**
 * Loads a file by storage key; undefined for a deleted file or a web address. All files that are wanted at the same moment
 * are one request.
 */
export async function storedFile(key: string): Promise<StoredFile | undefined> {
  if (/^https?:/i.test(key)) return undefined;
  if (!open || open.keys.size === MOST) open = begun();
  open.keys.add(key);
  return (await open.answer).items.find(({ path }) => path === key);
}

function begun(): Batch {
  const keys = new Set<string>();
  const isComplete = new Promise((resolve) => setTimeout(resolve));
  const answer = isComplete.then(() => {
    if (open?.keys === keys) open = undefined;
    const query = new URLSearchParams({ keys: [...keys].map(nameOf).join(), limit: String(MOST) });
    return callApi<{ items: StoredFile[] }>(`/v1/media?${query}`);
  });
  return { keys, answer };
}

/** The files loaded so far, by key. */
export function useStoredFiles(keys: string[]): Map<string, StoredFile> {
  const answers = useQueries({
    queries: [...new Set(keys)].map((key) => ({
      queryKey: ["stored file", key],
      queryFn: async () => (await storedFile(key)) ?? null,
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
