"use client";
import { useSyncExternalStore } from "react";

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
