import { BadRequest } from "../../errors";
import { type Occurrence, occurrences } from "../../time/recurrence";
import type { Zone } from "../../time/zone";
import { MOST_REPEATS, type RepeatWish, recurrenceOf } from "./input";

/**
 * The dates that a wish asks for, those that it leaves out included; pure.
 * @param after the instant after which they begin
 * @throws BadRequest where there are none or too many, or what is to be left out is none of them
 */
export function datesOf(wish: RepeatWish, zone: Zone, after: number): Occurrence[] {
  const dates: Occurrence[] = [];
  for (const one of occurrences(zone, recurrenceOf(wish), after)) {
    if (wish.until !== undefined && one.date > wish.until) {
      if (dates.length > 0) break;
      throw new BadRequest(`until is before the first date, ${one.date}`);
    }
    if (dates.length === MOST_REPEATS) {
      const last = dates.at(-1)?.date;
      throw new BadRequest(`until makes more than ${MOST_REPEATS} posts: the ${MOST_REPEATS}th is on ${last}`);
    }
    dates.push(one);
    if (dates.length === wish.count) break;
  }
  assertLeavable(wish.leaveOut, dates);
  return dates;
}

function assertLeavable(leaveOut: string[], dates: Occurrence[]): void {
  const known = new Set(dates.map(({ date }) => date));
  const strange = leaveOut.flatMap((date, index) =>
    known.has(date) ? [] : [`leaveOut[${index}] is none of the dates: ${date}`],
  );
  if (strange.length > 0) throw new BadRequest(...strange);
  if (new Set(leaveOut).size === known.size) throw new BadRequest("leaveOut leaves no date");
}
