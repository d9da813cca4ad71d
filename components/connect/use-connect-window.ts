"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import type { ConnectOutcome } from "@/lib/connect";
import { handleOf } from "../accounts/names";
import { callApi, readAnew } from "../api/client";
import { onConnected } from "./channel";
import { connectWindowWords } from "./words";

const [WIDTH, HEIGHT] = [560, 760];

/**
 * Whether to connect in a separate window: if there is room for one and a mouse to move it. Phones and in-app browsers have
 * neither, and often cannot return from a window.
 */
function wantsWindow(): boolean {
  return window.matchMedia("(min-width: 768px) and (hover: hover) and (pointer: fine)").matches;
}

/** Opens a window centred over this one, during the click so that browsers do not block it; null if it is blocked anyway. */
function openWindow(name: string): Window | null {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 3);
  return window.open("about:blank", name, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
}

const LOOK_EVERY_MS = 1_500;

type Connecting = { network: string; platform: string; ticket: string; popup: Window | null };

export type ConnectWindow = {
  /** For the form that posts to /oauth/connect/new; without a window, the form continues in this page. */
  onSubmit(event: FormEvent<HTMLFormElement>, network: string): void;
  /** The progress of the latest connect. */
  progress?: Progress;
  platform?: string;
  /** Brings the window to the front. */
  show(): void;
};

/** Connects in a separate window: opens it on a click and polls for the outcome, in case the window cannot announce it. */
export function useConnectWindow(): ConnectWindow {
  const cache = useQueryClient();
  const [connecting, setConnecting] = useState<Connecting>();
  const ticket = connecting?.ticket ?? "";
  const { data: seen } = useQuery({
    queryKey: ["connecting", ticket],
    queryFn: async ({ signal }) => ({
      attempt: await callApi<AttemptStatus>(`/accounts/attempts/${ticket}`, { signal }),
      isClosed: connecting?.popup?.closed ?? false,
    }),
    enabled: Boolean(connecting?.popup),
    refetchInterval: ({ state }) => !isOver(state.data?.attempt) && LOOK_EVERY_MS,
    refetchIntervalInBackground: true, // the other window is in front
  });
  const isDone = seen?.attempt.outcome === "connected";
  useEffect(() => onConnected(() => void readAnew(cache, {})), [cache]);
  useEffect(() => {
    if (isDone) void readAnew(cache, { queryKey: ["accounts"] });
  }, [isDone, cache]);
  return {
    onSubmit(event, network) {
      const begun = begin(event, network);
      // Only after the browser has sent the form: a form that is no longer rendered would not be sent.
      if (begun) setTimeout(() => setConnecting(begun));
    },
    progress:
      connecting &&
      progressOf({
        network: connecting.network,
        isBlocked: connecting.popup === null,
        isClosed: seen?.isClosed ?? false,
        attempt: seen?.attempt,
      }),
    platform: connecting?.platform,
    show: () => connecting?.popup?.focus(),
  };
}

/** Submits the form into a new window; undefined if it continues in this page, as it would without script. */
function begin(event: FormEvent<HTMLFormElement>, network: string): Connecting | undefined {
  const form = event.currentTarget;
  form.target = "";
  set(form, "window", "");
  if (!wantsWindow()) return undefined;
  const ticket = crypto.randomUUID();
  const name = `carillon ${ticket}`;
  const { submitter } = event.nativeEvent as SubmitEvent; // the type of a form's native submit event
  const platform = submitter instanceof HTMLButtonElement ? submitter.value : "";
  const popup = openWindow(name);
  if (popup === null) event.preventDefault();
  else {
    form.target = name;
    set(form, "window", "popup");
    set(form, "ticket", ticket);
  }
  return { network, platform, ticket, popup };
}

function set(form: HTMLFormElement, field: string, value: string): void {
  const input = form.elements.namedItem(field);
  if (input instanceof HTMLInputElement) input.value = value;
}

/** The outcome of a link that the dashboard created, as /accounts/attempts returns it. */
type AttemptStatus =
  | { outcome: ConnectOutcome; code: string; account?: { id: number; username: string; displayName: string } }
  | { outcome: "not opened" };

/** The state of a connect in a separate window, and its text. */
type Progress = {
  tone: "good" | "wrong" | "warn" | "info";
  says: string;
  next: "write" | "again" | "show" | "here";
};

type Seen = { network: string; isBlocked: boolean; isClosed: boolean; attempt?: AttemptStatus };

/** The text and next step shown on the page that opened the window. */
function progressOf({ network, isBlocked, isClosed, attempt }: Seen): Progress {
  if (isBlocked) return { tone: "warn", says: connectWindowWords.blocked(network), next: "here" };
  const outcome = attempt?.outcome ?? "not opened";
  if (outcome === "connected") {
    const account = attempt && "account" in attempt ? attempt.account : undefined;
    const says = account
      ? connectWindowWords.accountConnected(
          handleOf({ accountUsername: account.username, accountDisplayName: account.displayName }),
          network,
        )
      : connectWindowWords.connected(network);
    return { tone: "good", says, next: "write" };
  }
  if (outcome !== "under way" && outcome !== "not opened") {
    const end = connectWindowWords.ends[outcome](network);
    const says = attempt && "code" in attempt ? connectWindowWords.withCode(end, attempt.code) : end;
    return { tone: outcome === "denied" ? "info" : "wrong", says, next: "again" };
  }
  if (isClosed) return { tone: "warn", says: connectWindowWords.closed(network), next: "again" };
  return { tone: "info", says: connectWindowWords.underWay(network), next: "show" };
}

/** Whether the outcome is final. */
function isOver(attempt: AttemptStatus | undefined): boolean {
  return attempt !== undefined && attempt.outcome !== "under way" && attempt.outcome !== "not opened";
}
