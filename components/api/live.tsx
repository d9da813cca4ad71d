"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { readAnew, serverNow } from "./client";
import type { Schedule } from "./types";

const SOON_MS = 1_500;
const IDLE_MS = 30_000;

/** Where nothing is told (`live.tsx`), when to look again: soon while something is being sent or is due, otherwise now and then, and never late for the next. */
export function nextLookMs(schedules: Schedule[], now = serverNow()): number {
  return schedules.reduce((soonest, schedule) => Math.min(soonest, waitFor(schedule, now)), IDLE_MS);
}

function waitFor({ overallStatus, scheduledTime }: Schedule, now: number): number {
  if (overallStatus === "IN_PROGRESS" || overallStatus === "AWAITING_MEDIA") return SOON_MS;
  if (overallStatus !== "SCHEDULED" || !scheduledTime) return IDLE_MS;
  return Math.max(SOON_MS, Date.parse(scheduledTime) - now);
}

/** How long to wait before asking anew for a stream that was refused. */
const AGAIN_MS = 30_000;

type Follower = {
  /** Whether whatever happens is being told; while it is not, somebody has to look. */
  onState(isLive: boolean): void;
  /** Something happened: an event's type, or `open` where things may have happened before. */
  onFact(type: string): void;
};

/**
 * Follows what happens while the page is in view, until it is told to stop. A hidden page lets go of its connection, of
 * which browsers give a site few. The browser itself comes back after a loss and says up to where it was told.
 */
function follow({ onState, onFact }: Follower): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    onState(false);
  }

  function open() {
    close();
    if (document.hidden || typeof EventSource === "undefined") return;
    source = new EventSource("/live");
    source.onmessage = ({ data }) => {
      onState(true);
      onFact(typeOf(data));
    };
    source.onopen = () => onState(true);
    source.onerror = () => {
      onState(false);
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
    };
  }

  document.addEventListener("visibilitychange", open);
  window.addEventListener("pagehide", close);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    window.removeEventListener("pagehide", close);
    close();
  };
}

function typeOf(data: unknown): string {
  try {
    const message: unknown = JSON.parse(String(data));
    const type = typeof message === "object" && message !== null && "type" in message ? message.type : "";
    return typeof type === "string" ? type : "";
  } catch {
    return "";
  }
}

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
