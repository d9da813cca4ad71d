"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { readAnew } from "../api/anew";
import { api } from "../api/client";
import { openWindow, wantsWindow } from "./browser";
import { onConnected } from "./channel";
import { isOver, type Progress, progressOf, type Told } from "./progress";

const LOOK_EVERY_MS = 1_500;

type Connecting = { network: string; platform: string; ticket: string; popup: Window | null };

export type ConnectWindow = {
  /** For the form that posts to /oauth/connect/new; without a window it goes on in this page. */
  onSubmit(event: FormEvent<HTMLFormElement>, network: string): void;
  /** What is said of the connect that was begun last. */
  progress?: Progress;
  platform?: string;
  /** Brings the window to the front. */
  show(): void;
};

/** Connecting in a window of its own: opens it on a click, and learns how it ends whether or not the window can tell. */
export function useConnectWindow(): ConnectWindow {
  const cache = useQueryClient();
  const [connecting, setConnecting] = useState<Connecting>();
  const ticket = connecting?.ticket ?? "";
  const { data: seen } = useQuery({
    queryKey: ["connecting", ticket],
    queryFn: async ({ signal }) => ({
      told: await api<Told>(`/accounts/attempts/${ticket}`, { signal }),
      isClosed: connecting?.popup?.closed ?? false,
    }),
    enabled: Boolean(connecting?.popup),
    refetchInterval: ({ state }) => !isOver(state.data?.told) && LOOK_EVERY_MS,
    refetchIntervalInBackground: true, // the other window is in front
  });
  const isDone = seen?.told.outcome === "connected";
  useEffect(() => onConnected(() => void readAnew(cache, {})), [cache]);
  useEffect(() => {
    if (isDone) void readAnew(cache, { queryKey: ["accounts"] });
  }, [isDone, cache]);
  return {
    onSubmit(event, network) {
      const begun = begin(event, network);
      // Not before the browser has sent the form: one that is drawn no longer would not be sent.
      if (begun) setTimeout(() => setConnecting(begun));
    },
    progress:
      connecting &&
      progressOf({
        network: connecting.network,
        isBlocked: connecting.popup === null,
        isClosed: seen?.isClosed ?? false,
        told: seen?.told,
      }),
    platform: connecting?.platform,
    show: () => connecting?.popup?.focus(),
  };
}

/** Sends the form into a new window; undefined where it goes on in this page, as it would without script. */
function begin(event: FormEvent<HTMLFormElement>, network: string): Connecting | undefined {
  const form = event.currentTarget;
  form.target = "";
  set(form, "window", "");
  if (!wantsWindow()) return undefined;
  const ticket = crypto.randomUUID();
  const name = `carillon ${ticket}`;
  const { submitter } = event.nativeEvent as SubmitEvent; // what a form's submit event is
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
