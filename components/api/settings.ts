"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./client";

const MAIL = ["notifications"];
const PATH = "/v1/me/notifications";

type Notifications = { email: { [kind: string]: boolean } };

/** Which notices come by mail, by kind. */
export function useMailPreferences() {
  return useQuery({
    queryKey: MAIL,
    queryFn: async ({ signal }) => (await api<Notifications>(PATH, { signal })).email,
  });
}

/** Keeps all of them as they are given; shown at once, and as they were where that failed. */
export function useSetMailPreference() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (email: Notifications["email"]) => api<Notifications>(PATH, { method: "PUT", body: { email } }),
    onMutate: (email) => {
      const before = cache.getQueryData(MAIL);
      cache.setQueryData(MAIL, email);
      return { before };
    },
    onError: (_error, _email, context) => cache.setQueryData(MAIL, context?.before),
    onSuccess: ({ email }) => cache.setQueryData(MAIL, email),
  });
}
