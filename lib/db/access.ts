import { perProcess } from "./per-process";

const listeners = perProcess("access.listeners", () => new Set<(id: string) => void>());

/**
 * Tells the listeners in this process that the rights of a grant, a user or an application have changed. Database triggers
 * notify the other processes of the same IDs on the channel `access_changed`.
 */
export function accessChanged(id: string): void {
  for (const listener of listeners) listener(id);
}

export function onAccessChanged(listener: (id: string) => void): void {
  listeners.add(listener);
}
