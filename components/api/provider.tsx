"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiFailure } from "./client";
import { LiveUpdates } from "./live";

/** Answers live in memory only: nothing of one person's is left for the next. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [client] = useState(newClient);
  return (
    <QueryClientProvider client={client}>
      <LiveUpdates>{children}</LiveUpdates>
    </QueryClientProvider>
  );
}

/** What somebody does while the line is down fails at once and is told of: kept until it is up, it would happen unseen. */
function newClient(): QueryClient {
  const defaultOptions = { queries: { staleTime: 5_000, retry }, mutations: { networkMode: "always" } } as const;
  return new QueryClient({ defaultOptions });
}

/** As the API asks: 429, 5xx and silence are worth another try, other refusals are final. */
function retry(failures: number, error: Error): boolean {
  const final = error instanceof ApiFailure && error.status >= 400 && error.status < 500 && error.status !== 429;
  return !final && failures < 3;
}
