import type { Queue } from "../../accounts";
import { weekly } from "../../time/weekly";
import { type Zone, zoneOf } from "../../time/zone";

/** A time, and the accounts whose queues contain it. */
export type QueueOpening = { instant: number; accountIds: number[] };

const WEEK_MS = 7 * 86_400_000;
/** Queues are searched for about a year ahead. */
const WEEKS_AHEAD = 53;

/**
 * Yields the times of several queues in ascending order, each time once: with `any` the times of at least one queue, with `all`
 * the times that every queue has. Ends after a year.
 */
export function* openings(queues: Queue[], match: "all" | "any", after: number): Generator<QueueOpening, void> {
  const zones = new Map<string, Zone>();
  const weeks = queues.flatMap(({ accountId, timeZone, minutes }) => {
    if (timeZone === null || minutes.length === 0) return [];
    const zone = zones.get(timeZone) ?? zoneOf(timeZone);
    zones.set(timeZone, zone);
    return [{ accountId, zone, minutes }];
  });
  for (let week = 0; week < WEEKS_AHEAD; week++) {
    const from = after + week * WEEK_MS;
    yield* match === "all" ? sharedOpenings(weeks, from) : mergedOpenings(weeks, from);
  }
}

type Week = { accountId: number; zone: Zone; minutes: number[] };

/** Returns the times that all queues have in the week after an instant. */
function sharedOpenings(weeks: Week[], from: number): QueueOpening[] {
  const accountIds = weeks.map(({ accountId }) => accountId);
  const [first, ...others] = weeks.toSorted((a, b) => a.minutes.length - b.minutes.length);
  let instants = first ? weekTimes(first, from) : [];
  for (const other of others) {
    if (instants.length === 0) return [];
    const theirs = new Set(weekTimes(other, from));
    instants = instants.filter((instant) => theirs.has(instant));
  }
  return instants.map((instant) => ({ instant, accountIds }));
}

function mergedOpenings(weeks: Week[], from: number): QueueOpening[] {
  const byInstant = new Map<number, number[]>();
  for (const week of weeks) {
    for (const instant of weekTimes(week, from)) {
      const ids = byInstant.get(instant);
      if (ids) ids.push(week.accountId);
      else byInstant.set(instant, [week.accountId]);
    }
  }
  return [...byInstant].map(([instant, accountIds]) => ({ instant, accountIds })).sort((a, b) => a.instant - b.instant);
}

/** Returns the times after `from`, up to and including the instant one week later. */
function weekTimes({ zone, minutes }: Week, from: number): number[] {
  const times: number[] = [];
  for (const instant of weekly(zone, minutes, from)) {
    if (instant > from + WEEK_MS) break;
    times.push(instant);
  }
  return times;
}
