"use client";
import { useSyncExternalStore } from "react";
import { keyCap } from "./keys";

/** Whether the keyboard has ⌘ in the place of Ctrl; not before the page is in a browser. */
export function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

const unchanging = () => () => {};

/** Keys that are pressed together, for the eye; `aria-keyshortcuts` or words beside them are for the ear. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  const isTheirs = useSyncExternalStore(unchanging, isApple, () => false);
  return (
    <span aria-hidden className="inline-flex shrink-0 gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded-md border border-line bg-sunk px-1.5 py-0.5 text-center font-sans text-muted text-xs"
        >
          {keyCap(key, isTheirs)}
        </kbd>
      ))}
    </span>
  );
}
