import dynamic from "next/dynamic";
import { type ComponentType, useEffect, useEffectEvent } from "react";
import type { toast as library } from "sonner";
import { uiWords } from "./words";

type Toast = typeof library;

/**
 * How long a live region must be empty before it is filled; screen readers ignore one that is inserted with its text.
 */
const STANDS_MS = 100;

let ready: ((toast: Toast) => void) | undefined;
const toast = new Promise<Toast>((resolve) => {
  ready = resolve;
});
let isWanted = false;
const watchers = new Set<() => void>();

/** Shows a short notice as soon as the toast region is loaded. */
export function say(what: (toast: Toast) => void): void {
  isWanted = true;
  for (const notify of watchers) notify();
  void toast.then(what);
}

/** Whether a notice was shown since the page was opened; for `useSyncExternalStore`. */
export const wanted = {
  subscribe(notify: () => void): () => void {
    watchers.add(notify);
    return () => watchers.delete(notify);
  },
  get: () => isWanted,
};

/** Called by the toast region when it is mounted. */
export function drawBy(given: Toast): void {
  setTimeout(() => ready?.(given), STANDS_MS);
}

type Closable = { close: () => void };

/** A window that is loaded when it is opened. If that fails, a notice says so and the page stays as it is. */
export function loadedLater<Props extends Closable>(load: () => Promise<ComponentType<Props>>) {
  return dynamic<Props>(() => load().catch(() => NotOpened), { ssr: false });
}

function NotOpened({ close }: Closable): null {
  const leave = useEffectEvent(close);
  useEffect(() => {
    say((toast) => toast.error(uiWords.notOpened));
    leave();
  }, []);
  return null;
}
