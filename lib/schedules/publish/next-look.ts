/** Something is due that may not start yet: another process is just picking, a row is locked, a network is closed. */
const WAITING_MS = 100;
const LONGEST_REST_MS = 50;

/** What a look that took nothing sees ahead: until the next publication is due, and since when the newest of those due has been. */
export type Outlook = { idleMs: number; newestMs?: number };

/** A look that took long, because much is due, leaves the database to others for as long, up to a limit. */
export const restAfter = (lookMs: number) => Math.min(LONGEST_REST_MS, lookMs);

/**
 * How long after a look that took nothing the next one begins. What became due while this one was under way came too late
 * for it: it does not wait for a place, it is next.
 */
export function untilNextLook({ idleMs, newestMs }: Outlook, lookMs: number): number {
  if (newestMs === undefined) return idleMs;
  return Math.min(idleMs, newestMs < lookMs ? restAfter(lookMs) : WAITING_MS);
}
