"use client";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { keyCap } from "./keys";

/** Whether the keyboard has ⌘ instead of Ctrl; only known in the browser. */
export function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

/** A key combination, for sighted users; `aria-keyshortcuts` or text describes it to screen readers. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  const isTheirs = useIsHydrated() && isApple();
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
