"use client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { DeliveryList, DeliveryView, WebhookList, WebhookView, WebhookWithSecret } from "@/lib/api/shapes";
import { callApi, readAnew } from "./client";

const WEBHOOKS = ["webhooks"];
const DELIVERIES = "deliveries";
/** The end of a delivery is not an event, so pending deliveries are polled. */
const SOON_MS = 1_500;
/** Nor is a webhook that was disabled after failed deliveries. */
const NOW_AND_THEN_MS = 5_000;

export type ApiWebhook = z.output<typeof WebhookView>;
export type WebhookInput = Pick<ApiWebhook, "url" | "events" | "description"> & { enabled?: boolean };
type WithSecret = z.output<typeof WebhookWithSecret>;
export type Delivery = z.output<typeof DeliveryView>;
export type ApiDeliveryAttempt = Delivery["attempts"][number];

/** @param initial the webhooks at the time of the page's request */
export function useWebhooks(initial: ApiWebhook[]) {
  return useQuery({
    queryKey: WEBHOOKS,
    initialData: initial,
    queryFn: async ({ signal }) =>
      (await callApi<z.output<typeof WebhookList>>("/v1/webhooks?limit=50", { signal })).items,
  });
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...WEBHOOKS, id],
    queryFn: ({ signal }) => callApi<ApiWebhook>(`/v1/webhooks/${id}`, { signal }),
    refetchInterval: NOW_AND_THEN_MS,
  });
}

/** Deliveries of a webhook, newest first, page by page. */
export function useDeliveries(id: string) {
  return useInfiniteQuery({
    queryKey: [DELIVERIES, id],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "20", ...(pageParam && { cursor: pageParam }) });
      return callApi<z.output<typeof DeliveryList>>(`/v1/webhooks/${id}/deliveries?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((item) => item.state === "PENDING")) ? SOON_MS : 30_000,
  });
}

/** Only this response contains the secret. */
export function useCreateWebhook() {
  return useChange((input: WebhookInput) => callApi<WithSecret>("/v1/webhooks", { method: "POST", body: input }));
}

export function useUpdateWebhook(id: number) {
  return useChange((input: WebhookInput) => callApi<ApiWebhook>(`/v1/webhooks/${id}`, { method: "PUT", body: input }));
}

export function useRotateSecret(id: number) {
  return useChange(() => callApi<WithSecret>(`/v1/webhooks/${id}/rotate-secret`, { method: "POST" }));
}

export function useTestWebhook(id: number) {
  return useChange(() => callApi<Delivery>(`/v1/webhooks/${id}/test`, { method: "POST" }));
}

export function useRedeliver(id: number) {
  return useChange((deliveryId: string) =>
    callApi<Delivery>(`/v1/webhooks/${id}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`, { method: "POST" }),
  );
}

export function useDeleteWebhook(id: number) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<void>(`/v1/webhooks/${id}`, { method: "DELETE" }),
    onSuccess: () => readAnew(cache, { queryKey: WEBHOOKS, exact: true }),
  });
}

/** A mutation after which webhooks and deliveries are refetched. */
function useChange<In, Out>(change: (input: In) => Promise<Out>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => readAnew(cache, { queryKey: WEBHOOKS }, { queryKey: [DELIVERIES] }),
  });
}
