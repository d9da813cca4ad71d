"use client";
import { useSyncExternalStore } from "react";
import { shellWords } from "../shell/words";

/** The shortcuts, used by listeners and hints; key-list.tsx lists them all. */

/** Single-key shortcuts of the calendar, as `KeyboardEvent.key`. */
export const calendarKeys = {
  today: "t",
  month: "1",
  week: "2",
  day: "3",
  list: "4",
  move: "m",
  dayBefore: "ArrowLeft",
  dayAfter: "ArrowRight",
  weekBefore: "ArrowUp",
  weekAfter: "ArrowDown",
} as const;

/** Single-key shortcuts of the list of posts. With the shift key, `select` selects up to the row. */
export const postKeys = { next: "j", previous: "k", select: "x", edit: "e", search: "/" } as const;

export const listKey = "?";
/** Starts a new post from every page but the composer. In the calendar, it starts one for the day that has the focus. */
export const writeKey = "n";
/** These two, one after the other, lead to Home. */
export const homeKeys = ["g", "h"] as const;
const paletteKey = "k";

/** For `aria-keyshortcuts`. */
export const paletteShortcut = "Control+K Meta+K";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Whether an event opens the palette. On Apple keyboards Ctrl+K deletes to the end of a line and keeps doing so. */
export function asksForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isApple: boolean): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === paletteKey;
}

/** A key's label on the reader's keyboard. */
export function keyCap(key: string, isApple: boolean): string {
  if (key === "mod") return isApple ? "⌘" : shellWords.palette.ctrl;
  return key === shellWords.palette.alt && isApple ? "⌥" : key;
}

const KEPT = "carillon.single-keys";
const watchers = new Set<() => void>();

/** Whether single-key shortcuts are on. Speech users and people with tremor can turn them off (WCAG 2.2, 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

/** Stored in this browser. */
export function setSingleKeys(areOn: boolean): void {
  try {
    localStorage.setItem(KEPT, areOn ? "on" : "off");
  } catch {
    // Without storage they stay on.
  }
  for (const notify of watchers) notify();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn, () => true);
}

function subscribe(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}
