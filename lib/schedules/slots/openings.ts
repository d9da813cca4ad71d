import type { Queue } from "../../accounts";
import { weekly } from "../../time/weekly";
import { type Zone, zoneOf } from "../../time/zone";

/** A time of a queue, and the accounts whose queues have it. */
export type Opening = { instant: number; accountIds: number[] };

const WEEK_MS = 7 * 86_400_000;
/** So far ahead that nobody plans by their queue any more. */
const A_YEAR = 53;

/**
 * The times of several queues as one list, ascending and each time once: with `any` those that one or more of them have, with
 * `all` those that every one of them has. Ends after a year.
 */
export function* openings(queues: Queue[], match: "all" | "any", after: number): Generator<Opening, void> {
  const zones = new Map<string, Zone>();
  const weeks = queues.flatMap(({ accountId, timeZone, minutes }) => {
    if (timeZone === null || minutes.length === 0) return [];
    const zone = zones.get(timeZone) ?? zoneOf(timeZone);
    zones.set(timeZone, zone);
    return [{ accountId, zone, minutes }];
  });
  for (let week = 0; week < A_YEAR; week++) {
    const from = after + week * WEEK_MS;
    yield* match === "all" ? shared(weeks, from) : merged(weeks, from);
  }
}

type Week = { accountId: number; zone: Zone; minutes: number[] };

/** The times that all of them have in the week after an instant; given up as soon as there are none left. */
function shared(weeks: Week[], from: number): Opening[] {
  const accountIds = weeks.map(({ accountId }) => accountId);
  const [first, ...others] = weeks.toSorted((a, b) => a.minutes.length - b.minutes.length);
  let instants = first ? timesOf(first, from) : [];
  for (const other of others) {
    if (instants.length === 0) return [];
    const theirs = new Set(timesOf(other, from));
    instants = instants.filter((instant) => theirs.has(instant));
  }
  return instants.map((instant) => ({ instant, accountIds }));
}

function merged(weeks: Week[], from: number): Opening[] {
  const byInstant = new Map<number, number[]>();
  for (const week of weeks) {
    for (const instant of timesOf(week, from)) {
      const ids = byInstant.get(instant);
      if (ids) ids.push(week.accountId);
      else byInstant.set(instant, [week.accountId]);
    }
  }
  return [...byInstant].map(([instant, accountIds]) => ({ instant, accountIds })).sort((a, b) => a.instant - b.instant);
}

/** Those after `from`, up to and with the instant a week later. */
function timesOf({ zone, minutes }: Week, from: number): number[] {
  const times: number[] = [];
  for (const instant of weekly(zone, minutes, from)) {
    if (instant > from + WEEK_MS) break;
    times.push(instant);
  }
  return times;
}
