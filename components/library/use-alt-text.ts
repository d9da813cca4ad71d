"use client";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { callApi } from "../api/client";
import type { ApiMedia } from "./queries";
import { addressOf } from "./stored-files";

const QUIET_MS = 800;
const DESCRIBED = ["described"];

/** `failed`: the last text exists only on this page. */
export type AltTextState = "unchanged" | "saving" | "saved" | "failed";

/** Unsaved texts by storage key, each with a function that saves it. An entry stays until it is saved. */
const unsaved = new Map<string, () => Promise<void>>();

/** Saves all unsaved texts now, so that a post is not sent without them. @throws ApiFailure */
export async function saveAltTexts(): Promise<void> {
  await Promise.all([...unsaved.values()].map((save) => save()));
}

/** Counts saves on this page, because earlier validation results may be outdated after one. */
export function useDescribed(): number {
  return useQuery({ queryKey: DESCRIBED, queryFn: () => 0, initialData: 0, enabled: false }).data;
}

/** The query of a stored file, shared by everything that shows it. */
function medium(path: string) {
  return {
    queryKey: ["medium", path],
    queryFn: ({ signal }: { signal: AbortSignal }) => callApi<ApiMedia>(addressOf(path), { signal }),
    networkMode: "always" as const, // mutations fail at once when offline instead of running later
  };
}

/** A file as it is stored. */
export function useMedium(path: string) {
  return useQuery(medium(path));
}

/** The file as first loaded: each response has a new signed URL, and a file that is being edited must not reload. */
export function useFirstMedium(path: string): { medium: ApiMedia | undefined; error: Error | null } {
  const { data, error } = useMedium(path);
  const [first, setFirst] = useState(data);
  if (!first && data) setFirst(data);
  return { medium: first, error: first ? null : error };
}

/** Stored files by storage key, as far as they are loaded. */
export function useMediaAt(paths: string[]): Map<string, ApiMedia> {
  const stored = useQueries({ queries: paths.map(medium) });
  return new Map(stored.flatMap(({ data }) => (data ? [[data.path, data] as const] : [])));
}

/** Copies a file's alt text to another file, including unsaved text. @throws ApiFailure */
export function useCopyAltText() {
  const cache = useQueryClient();
  return async (from: string, to: string): Promise<void> => {
    await saveAltTexts();
    const { altText } = await cache.fetchQuery(medium(from));
    if (!altText) return;
    const media = await callApi<ApiMedia>(addressOf(to), { method: "PATCH", body: { altText } });
    cache.setQueryData(medium(to).queryKey, media);
  };
}

/** The alt text of a file, saved a moment after each change, one save after the other. */
export function useAltText(path: string) {
  const cache = useQueryClient();
  const { queryKey: key } = medium(path);
  const stored = useMedium(path);
  const [typed, setTyped] = useState<string>();
  const [state, setState] = useState<AltTextState>("unchanged");
  const before = useRef<Promise<void>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  async function store(altText: string): Promise<void> {
    const media = await callApi<ApiMedia>(addressOf(path), { method: "PATCH", body: { altText } });
    cache.setQueryData(key, media);
    cache.setQueryData<number>(DESCRIBED, (count = 0) => count + 1);
  }

  function change(text: string) {
    setTyped(text);
    setState("saving");
    clearTimeout(timer.current);
    const save = () => {
      clearTimeout(timer.current);
      setState("saving");
      const saving = before.current.then(() => store(text));
      const isLast = () => unsaved.get(path) === wait;
      const wait = () => saving;
      unsaved.set(path, wait);
      before.current = saving.then(
        () => {
          if (!isLast()) return;
          unsaved.delete(path);
          setState("saved");
        },
        () => {
          if (!isLast()) return;
          unsaved.set(path, save);
          setState("failed");
        },
      );
      return saving;
    };
    unsaved.set(path, save);
    timer.current = setTimeout(() => void save().catch(() => undefined), QUIET_MS);
  }

  const flush = () =>
    void unsaved
      .get(path)?.()
      .catch(() => undefined);
  return { text: typed ?? stored.data?.altText ?? "", state, change, flush };
}
