"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiFailure } from "./client";
import { LiveUpdates } from "./live";

/**
 * Responses are cached in memory only, so nothing is left for the next person at this browser.
 * @param since the ID of the last event before the page was rendered
 */
export function ApiProvider({ since, children }: { since: string; children: ReactNode }) {
  const [client] = useState(newClient);
  return (
    <QueryClientProvider client={client}>
      <LiveUpdates since={since}>{children}</LiveUpdates>
    </QueryClientProvider>
  );
}

/** Mutations fail at once when offline. Paused mutations would run later without the user noticing. */
function newClient(): QueryClient {
  const defaultOptions = { queries: { staleTime: 5_000, retry }, mutations: { networkMode: "always" } } as const;
  return new QueryClient({ defaultOptions });
}

/** Retries 429, 5xx and missing responses; other 4xx are final. */
function retry(failures: number, error: Error): boolean {
  const final = error instanceof ApiFailure && error.status >= 400 && error.status < 500 && error.status !== 429;
  return !final && failures < 3;
}
