"use client";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../api/client";
import type { Media } from "./queries";
import { addressOf } from "./queries";

const QUIET_MS = 800;
const DESCRIBED = ["described"];

/** `failed`: the last words are on this page alone. */
export type AltTextState = "unchanged" | "saving" | "saved" | "failed";

/** What is typed and not stored yet, by the file's storage key; one of each that is on its way stays until it is there. */
const unsaved = new Map<string, () => Promise<void>>();

/**
 * Stores at once what was just typed, so that a post does not go out without it.
 * @throws ApiFailure
 */
export async function saveAltTexts(): Promise<void> {
  await Promise.all([...unsaved.values()].map((save) => save()));
}

/** How often words were stored on this page: what was found out before that may hold no more. */
export function useDescribed(): number {
  return useQuery({ queryKey: DESCRIBED, queryFn: () => 0, initialData: 0, enabled: false }).data;
}

/** A file as it is stored, asked for once for all who show something of it. */
function medium(path: string) {
  return {
    queryKey: ["medium", path],
    queryFn: ({ signal }: { signal: AbortSignal }) => api<Media>(addressOf(path), { signal }),
    networkMode: "always" as const, // what is done with its words while the line is down is told, and not done later
  };
}

/** A file as it is stored. */
export function useMedium(path: string) {
  return useQuery(medium(path));
}

/** The same, as it was first known here: every answer signs another address, and a file that is being worked on must not load anew. */
export function useFirstMedium(path: string): { medium: Media | undefined; error: Error | null } {
  const { data, error } = useMedium(path);
  const [first, setFirst] = useState(data);
  if (!first && data) setFirst(data);
  return { medium: first, error: first ? null : error };
}

/** Files as they are stored, by their storage keys, as far as they are known by now. */
export function useMediaAt(paths: string[]): Map<string, Media> {
  const stored = useQueries({ queries: paths.map(medium) });
  return new Map(stored.flatMap(({ data }) => (data ? [[data.path, data] as const] : [])));
}

/** Gives a file the words of another, those that were just typed too. @throws ApiFailure */
export function useCopyAltText() {
  const cache = useQueryClient();
  return async (from: string, to: string): Promise<void> => {
    await saveAltTexts();
    const { altText } = await cache.fetchQuery(medium(from));
    if (!altText) return;
    const media = await api<Media>(addressOf(to), { method: "PATCH", body: { altText } });
    cache.setQueryData(medium(to).queryKey, media);
  };
}

/** What a file shows, in words: kept with the file a moment after each change, one save after the other. */
export function useAltText(path: string) {
  const cache = useQueryClient();
  const { queryKey: key } = medium(path);
  const stored = useMedium(path);
  const [typed, setTyped] = useState<string>();
  const [state, setState] = useState<AltTextState>("unchanged");
  const before = useRef<Promise<void>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  async function store(altText: string): Promise<void> {
    const media = await api<Media>(addressOf(path), { method: "PATCH", body: { altText } });
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
