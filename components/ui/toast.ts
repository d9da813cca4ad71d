import type { toast as library } from "sonner";

type Toast = typeof library;

/** So long a live region stands empty before it is filled: readers of the screen say nothing of one that comes with its words. */
const STANDS_MS = 100;

let ready: ((toast: Toast) => void) | undefined;
const toast = new Promise<Toast>((resolve) => {
  ready = resolve;
});
let isWanted = false;
const watchers = new Set<() => void>();

/** Says something short over the page, as soon as what draws it is there: it is fetched once the page rests. */
export function say(what: (toast: Toast) => void): void {
  isWanted = true;
  for (const tell of watchers) tell();
  void toast.then(what);
}

/** Whether something was said since the page was opened; for `useSyncExternalStore`. */
export const wanted = {
  subscribe(tell: () => void): () => void {
    watchers.add(tell);
    return () => watchers.delete(tell);
  },
  get: () => isWanted,
};

/** To be called by what draws, once it stands on the page. */
export function drawBy(given: Toast): void {
  setTimeout(() => ready?.(given), STANDS_MS);
}
