import { withZulu } from "../../time/instant";
import { withOffset } from "../../time/recurrence";
import type { Repeated, RepeatedDate } from "./repeat";

/** What repeating a schedule answers: each date with its zone's clock, what becomes of it, and what says the same near it. */
export function presentRepeats({ zone, dates, problems }: Repeated, dryRun: boolean) {
  const count = (outcome: RepeatedDate["outcome"]) => dates.filter((one) => one.outcome === outcome).length;
  return {
    dryRun,
    counts: { ready: count("ready"), leftOut: count("left_out"), created: count("created") },
    dates: dates.map(({ date, instant, clock, isMonthEnd, outcome, id, twins }) => ({
      date,
      scheduledTime: withZulu(new Date(instant).toISOString()),
      localTime: withOffset(zone, instant),
      ...(clock ? { clock } : {}),
      ...(isMonthEnd ? { isMonthEnd } : {}),
      outcome,
      ...(id === undefined ? {} : { id }),
      twins: twins.map(({ scheduleId, accountId, at }) => ({
        ...(scheduleId === undefined ? {} : { id: scheduleId }),
        socialMediaAccountId: accountId,
        scheduledTime: withZulu(at),
      })),
    })),
    problems: problems.map(({ change: _, ...problem }) => problem),
  };
}
