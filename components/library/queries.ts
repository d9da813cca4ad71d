"use client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { ImportStarted, ImportView, MediaList, MediaView } from "@/lib/api/shapes";
import { callApi, readAnew } from "../api/client";

export type ApiMedia = z.output<typeof MediaView>;
export type Import = z.output<typeof ImportView>;

const MEDIA = ["media"];

/** The user's files, newest first, page by page. */
export function useMedia() {
  return useInfiniteQuery({
    queryKey: MEDIA,
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "60", ...(pageParam && { cursor: pageParam }) });
      return callApi<z.output<typeof MediaList>>(`/v1/media?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Refetches the list after a file was added or deleted. */
export function useMediaChanged(): () => void {
  const cache = useQueryClient();
  return () => void readAnew(cache, { queryKey: MEDIA });
}

export function useDeleteMedia() {
  const changed = useMediaChanged();
  return useMutation({
    mutationFn: ({ key }: ApiMedia) => callApi<void>(`/v1/media/${encodeURIComponent(key)}`, { method: "DELETE" }),
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
