import type { Network } from "./network";

/** How many publications may run at once: per network in one worker process, per owner in it, and per account everywhere. */
export type Pace = { slots: number; perOwner: number; perAccount: number };

/** One at a time per account keeps its posts in the order of their times. */
const USUAL: Pace = { slots: 64, perOwner: 32, perAccount: 1 };

/** Returns the network's own concurrency limits, or the default. */
export function paceOf(network: Network): Pace {
  return network.pace ?? USUAL;
}
