"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { FeedbackList, FeedbackView, ReviewLinkList, ReviewLinkMade } from "@/lib/api/shapes";
import { callApi, readAnew } from "../api/client";

export type ApiFeedback = z.output<typeof FeedbackView>;
export type ApiReviewLink = z.output<typeof ReviewLinkList>["items"][number];

const pathOf = (scheduleId: number) => `/v1/posts/${scheduleId}`;
/** Below the schedule's key, so that they are refetched with it. */
const keyOf = (scheduleId: number, what: string) => ["schedule", String(scheduleId), what];
/** A fallback for missed live updates. */
const LOOK_MS = 30_000;

export function useFeedback(scheduleId: number) {
  return useQuery({
    queryKey: keyOf(scheduleId, "feedback"),
    queryFn: async ({ signal }) =>
      (await callApi<z.output<typeof FeedbackList>>(`${pathOf(scheduleId)}/feedback`, { signal })).items,
    refetchInterval: LOOK_MS,
  });
}

export function useReviewLinks(scheduleId: number) {
  return useQuery({
    queryKey: keyOf(scheduleId, "review-links"),
    queryFn: async ({ signal }) =>
      (await callApi<z.output<typeof ReviewLinkList>>(`${pathOf(scheduleId)}/review-links`, { signal })).items,
  });
}

/** Only this response contains the URL. */
export function useMakeReviewLink(scheduleId: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (days: number) =>
      callApi<z.output<typeof ReviewLinkMade>>(`${pathOf(scheduleId)}/review-links`, {
        method: "POST",
        body: { days },
      }),
    onSuccess: () => readAnew(cache, { queryKey: keyOf(scheduleId, "review-links") }),
  });
}

export function useRevokeReviewLink(scheduleId: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi<void>(`${pathOf(scheduleId)}/review-links/${id}`, { method: "DELETE" }),
    onSettled: () => readAnew(cache, { queryKey: keyOf(scheduleId, "review-links") }),
  });
}

export function useReact(scheduleId: number, feedbackId: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (reaction: { answer?: string; isClosed?: boolean }) =>
      callApi<ApiFeedback>(`${pathOf(scheduleId)}/feedback/${feedbackId}`, { method: "PATCH", body: reaction }),
    onSettled: () => readAnew(cache, { queryKey: ["schedule", String(scheduleId)] }, { queryKey: ["schedules"] }),
  });
}
