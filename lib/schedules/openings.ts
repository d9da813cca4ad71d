import type { Queue } from "../accounts";
import { weekly } from "../weekly";
import { type Zone, zoneOf } from "../zone";

/** A time of a queue, and the accounts whose queues have it. */
export type Opening = { instant: number; accountIds: number[] };

const A_YEAR_MS = 53 * 7 * 86_400_000;

/**
 * The times of several queues as one list, ascending and each time once: with `any` those that one or more of them have, with
 * `all` those that every one of them has. Ends after a year.
 */
export function* openings(queues: Queue[], match: "all" | "any", after: number): Generator<Opening, void> {
  const zones = new Map<string, Zone>();
  const heads = queues.flatMap(({ accountId, timeZone, minutes }) => {
    if (timeZone === null || minutes.length === 0) return [];
    const zone = zones.get(timeZone) ?? zoneOf(timeZone);
    zones.set(timeZone, zone);
    const times = weekly(zone, minutes, after);
    return [{ accountId, times, next: times.next() }];
  });
  for (;;) {
    const instant = Math.min(...heads.map(({ next }) => next.value ?? Number.POSITIVE_INFINITY));
    if (instant > after + A_YEAR_MS) return;
    const here = heads.filter(({ next }) => next.value === instant);
    for (const head of here) head.next = head.times.next();
    if (match === "any" || here.length === heads.length) {
      yield { instant, accountIds: here.map(({ accountId }) => accountId) };
    }
  }
}
