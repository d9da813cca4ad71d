"use client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { z } from "zod";
import type {
  MediaChange as Change,
  ImportStarted,
  ImportView,
  MediaCountsView,
  MediaLabelView,
  MediaList,
  MediaView,
} from "@/lib/api/shapes";
import { callApi, readAnew } from "../api/client";

export type ApiMedia = z.output<typeof MediaView>;
export type Import = z.output<typeof ImportView>;

export type MediaChange = z.input<typeof Change>;
export type LibrarySort = "-createdTime" | "createdTime" | "filename" | "-sizeBytes";

/** What a list of files is narrowed down to; see `GET /v1/media`. */
export type LibraryFilters = {
  kind?: "IMAGE" | "VIDEO" | "DOCUMENT";
  label?: string;
  used?: "false";
  altText?: "false";
  text?: string;
  sort?: LibrarySort;
};

const MEDIA = ["media"];
const LABELS = [...MEDIA, "labels"];
const PAGE = "60";
const addressOf = (key: string) => `/v1/media/${encodeURIComponent(key)}`;

const PAUSE_MS = 200;

/** Debounces a text, so that not every letter causes a request. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The user's files page by page, by default the newest first. A text is searched for once the typing pauses. */
export function useMedia(filters: LibraryFilters, isAsked = true) {
  const { text = "" } = filters;
  const settled = { ...filters, text: useSettled(text) };
  const media = useInfiniteQuery({
    queryKey: [...MEDIA, settled],
    queryFn: ({ pageParam, signal }) => {
      const said = Object.entries({ limit: PAGE, ...settled, cursor: pageParam });
      const query = new URLSearchParams(said.filter((entry): entry is [string, string] => Boolean(entry[1])));
      return callApi<z.output<typeof MediaList>>(`/v1/media?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
    enabled: isAsked,
  });
  /** `isOutdated`: what it has is for an earlier text or filter. */
  return { ...media, isOutdated: settled.text !== text || media.isPlaceholderData };
}

/** The user's labels with the number of their files. */
export function useLabels() {
  return useQuery({
    queryKey: LABELS,
    queryFn: ({ signal }) => callApi<z.output<typeof MediaLabelView>[]>("/v1/media-labels", { signal }),
  });
}

/** The number of the user's files, by what the library's shelves show. */
export function useMediaCounts() {
  return useQuery({
    queryKey: [...MEDIA, "counts"],
    queryFn: ({ signal }) => callApi<z.output<typeof MediaCountsView>>("/v1/media/counts", { signal }),
  });
}

/** Refetches the lists after a file was added, changed or deleted. */
export function useMediaChanged(): () => void {
  const cache = useQueryClient();
  return () => void readAnew(cache, { queryKey: MEDIA });
}

/** Renames a file, or sets its labels. */
export function useChangeMedia() {
  const changed = useMediaChanged();
  return useMutation({
    mutationFn: ({ key, change }: { key: string; change: MediaChange }) =>
      callApi<ApiMedia>(addressOf(key), { method: "PATCH", body: change }),
    onSuccess: changed,
  });
}

export function useDeleteMedia() {
  const changed = useMediaChanged();
  return useMutation({
    mutationFn: ({ key }: ApiMedia) => callApi<void>(addressOf(key), { method: "DELETE" }),
    onSuccess: changed,
  });
}

export function useStartImport() {
  return useMutation({
    mutationFn: (url: string) =>
      callApi<z.output<typeof ImportStarted>>("/v1/media/upload/import", { method: "POST", body: { url } }),
  });
}

const SOON_MS = 700;

/** One import, polled until it has ended. */
export function useImport(id: number) {
  return useQuery({
    queryKey: ["import", id],
    queryFn: ({ signal }) => callApi<Import>(`/v1/media/upload/import/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : SOON_MS),
  });
}

export function hasEnded({ state }: Import): boolean {
  return state === "READY" || state === "FAILED_PERMANENT";
}
