"use client";
import { useSyncExternalStore } from "react";

const KEPT = "carillon.single-keys";
const watchers = new Set<() => void>();

/** Whether a letter alone does something. Who speaks to the machine, or trembles, can switch that off (WCAG 2.2, 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

/** Kept by this browser. */
export function setSingleKeys(areOn: boolean): void {
  try {
    localStorage.setItem(KEPT, areOn ? "on" : "off");
  } catch {
    // A forbidden storage keeps them on.
  }
  for (const tell of watchers) tell();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn, () => true);
}

function subscribe(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
