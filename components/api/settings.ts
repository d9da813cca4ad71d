"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { NotificationsView } from "@/lib/api/shapes";
import { callApi } from "./client";

const MAIL = ["notifications"];
const PATH = "/v1/me/notifications";

export type Notifications = z.output<typeof NotificationsView>;
/** Whether each kind of notice comes by email. */
export type NoticeChoices = Notifications["email"];
export type ApiDigest = NonNullable<Notifications["digest"]>;
export type ApiQuietHours = NonNullable<Notifications["quietHours"]>;

/** The email choices and the quiet hours. @param initial what the page was rendered with */
export function useNotifications(initial: Notifications) {
  return useQuery({
    queryKey: MAIL,
    queryFn: ({ signal }) => callApi<Notifications>(PATH, { signal }),
    initialData: initial,
  }).data;
}

/**
 * Saves the choices, one request after the other. Shown at once and reverted on failure. What is omitted
 * stays unchanged.
 */
export function useSetNotifications() {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: PATH },
    mutationFn: (wanted: { email: NoticeChoices; quietHours?: ApiQuietHours | null; digest?: ApiDigest | null }) =>
      callApi<Notifications>(PATH, { method: "PUT", body: wanted }),
    onMutate: ({ email }) => {
      const before = cache.getQueryData<Notifications>(MAIL);
      cache.setQueryData<Notifications>(MAIL, (now) => ({ ...now, email }));
      return { before };
    },
    onError: (_error, _wanted, context) => cache.setQueryData(MAIL, context?.before),
    onSuccess: (kept) => cache.setQueryData(MAIL, kept),
  });
}
