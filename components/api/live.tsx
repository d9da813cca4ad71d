"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { readAnew } from "./anew";
import { follow } from "./follow";

const Live = createContext(false);

/** Whether this page is told what happens; where it is not, lists look again by themselves. */
export function useIsLive(): boolean {
  return useContext(Live);
}

/** Keeps what the pages show as it is on the server, from the moment that something happens. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(() => follow({ onState: setIsLive, onFact: (type) => readAgain(cache, type) }), [cache]);
  return <Live value={isLive}>{children}</Live>;
}

/** What an event is about, by the first word of its type; anything may have changed before the stream was open. */
const about: { [noun: string]: string[] | undefined } = {
  post: ["schedules", "schedule", "deliveries"],
  publication: ["schedules", "schedule", "deliveries"],
  account: ["accounts", "chats", "deliveries"],
  feedback: ["schedules", "schedule"],
  media: ["schedules", "schedule", "media", "import", "deliveries"],
  open: ["schedules", "schedule", "accounts", "chats", "media", "import", "webhooks", "deliveries"],
};

function readAgain(cache: QueryClient, type: string): void {
  const [noun = ""] = type.split(".");
  for (const key of about[noun] ?? []) void readAnew(cache, { queryKey: [key] });
}
