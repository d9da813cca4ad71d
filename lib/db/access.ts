import { perProcess } from "./per-process";

const listeners = perProcess("access.listeners", () => new Set<(id: string) => void>());

/**
 * Says at once in this process that what a grant, a person or an application may do has changed. The other processes hear
 * it from the database, whose triggers announce the same ids on the channel `access_changed`.
 */
export function accessChanged(id: string): void {
  for (const listener of listeners) listener(id);
}

export function onAccessChanged(listener: (id: string) => void): void {
  listeners.add(listener);
}
