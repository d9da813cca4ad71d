import type { Network } from "./network";

/** How much may be under way at once: of a network in one worker process, of one owner there, of one account anywhere. */
export type Pace = { slots: number; perOwner: number; perAccount: number };

/** One at a time keeps an account's posts in the order of their times. */
const USUAL: Pace = { slots: 64, perOwner: 32, perAccount: 1 };

/** A network's own pace, or the usual one. */
export function paceOf(network: Network): Pace {
  return network.pace ?? USUAL;
}
