"use client";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { readAnew, serverNow } from "./client";
import type { ApiSchedule } from "./types";

const SOON_MS = 1_500;
const IDLE_MS = 30_000;

/**
 * Returns the polling interval when live updates are off: short while something is being published or is due, and
 * never later than the next scheduled time.
 */
export function nextLookMs(schedules: ApiSchedule[], now = serverNow()): number {
  return schedules.reduce((soonest, schedule) => Math.min(soonest, waitFor(schedule, now)), IDLE_MS);
}

function waitFor({ overallStatus, scheduledTime }: ApiSchedule, now: number): number {
  if (overallStatus === "IN_PROGRESS" || overallStatus === "AWAITING_MEDIA") return SOON_MS;
  if (overallStatus !== "SCHEDULED" || !scheduledTime) return IDLE_MS;
  return Math.max(SOON_MS, Date.parse(scheduledTime) - now);
}

/** Delay before reopening a stream that the server refused. */
const AGAIN_MS = 30_000;

type Follower = {
  /** Whether events arrive. If not, the pages poll. */
  onState(isLive: boolean): void;
  /** Called with an event's type, or `open` after events may have been missed. */
  onFact(type: string): void;
};

/**
 * Follows the event stream while the page is visible. A hidden page closes its connection because browsers allow only
 * a few per site. After a loss the browser reconnects by itself and resumes with the last event ID.
 * @param since where the log of events ended when the page was rendered. A stream that is opened at once continues there:
 *   everything that the page loads is newer, so it is not loaded again.
 */
function follow(since: string, { onState, onFact }: Follower): () => void {
  let first = `?since=${since}`;
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
    const query = first;
    first = "";
    if (document.hidden || typeof EventSource === "undefined") return;
    source = new EventSource(`/live${query}`);
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

/** Whether live updates arrive; without them, lists poll. */
export function useIsLive(): boolean {
  return useContext(Live);
}

/** Refetches what changed as soon as an event arrives, and no more often than `together` allows. */
export function LiveUpdates({ since, children }: { since: string; children: ReactNode }) {
  const cache = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  // A refresh of the page brings a later place. The stream that is open has not passed it yet.
  const [first] = useState(since);
  useEffect(() => {
    const changes = together(async (keys) => {
      const changed = keys.map((key) => ({ queryKey: [key] }));
      await readAnew(cache, ...changed);
      const read = changed.flatMap((filters) => cache.getQueryCache().findAll({ ...filters, type: "active" }));
      return read.reduce((requests, { state }) => requests + requestsFor(state.data), 0);
    });
    const unfollow = follow(first, { onState: setIsLive, onFact: (type) => changes.add(keysAbout(type)) });
    return () => {
      unfollow();
      changes.stop();
    };
  }, [cache, first]);
  return <Live value={isLive}>{children}</Live>;
}

const PAUSE_MS = 1_000;
/** A server that is slow gets a pause of four times as long as it took. */
const PAUSE_PER_READ = 4;
/** At most half of the 600 requests per minute that a person has by default, also while a list with many pages is shown. */
export const PAUSE_PER_REQUEST_MS = 200;

/** How many requests read this data: one for each page of a list. */
function requestsFor(data: unknown): number {
  return typeof data === "object" && data !== null && "pages" in data && Array.isArray(data.pages)
    ? data.pages.length
    : 1;
}

type Changes = { add(keys: readonly string[]): void; stop(): void };

/**
 * Calls `read` with the first keys at once. Keys that are added while it reads, or in the pause that follows, are read
 * together after the pause, so that many events in a second do not cause as many requests.
 * @param read returns how many requests it took
 */
export function together(read: (keys: string[]) => Promise<number>): Changes {
  const waiting = new Set<string>();
  let isBusy = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function next(): Promise<void> {
    isBusy = waiting.size > 0;
    if (!isBusy || isOver) return;
    const keys = [...waiting];
    waiting.clear();
    const start = performance.now();
    const requests = await read(keys).catch(() => 0); // each query has its own error
    const took = performance.now() - start;
    timer = setTimeout(next, Math.max(PAUSE_MS, took * PAUSE_PER_READ, requests * PAUSE_PER_REQUEST_MS));
  }

  return {
    add(keys) {
      for (const key of keys) waiting.add(key);
      if (!isBusy) void next();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Query keys to refetch, by the first word of an event's type. After `open`, anything may have changed. */
const about: { [noun: string]: string[] | undefined } = {
  post: ["schedules", "schedule", "deliveries"],
  publication: ["schedules", "schedule", "deliveries"],
  comment: ["schedules", "schedule", "deliveries"],
  account: ["accounts", "account-groups", "chats", "schedules", "deliveries"],
  feedback: ["schedules", "schedule"],
  media: ["schedules", "schedule", "media", "import", "deliveries"],
  open: ["schedules", "schedule", "accounts", "chats", "media", "import", "webhooks", "deliveries"],
};

function keysAbout(type: string): readonly string[] {
  const [noun = ""] = type.split(".");
  return about[noun] ?? [];
}
