import { db, type Tx } from "../../db";
import { type AnswerToStore, assertFirstRequest, claimTurn, storeAnswer } from "../../db/idempotency";
import { BadRequest, blockingProblems, type Problem } from "../../errors";
import { LAST_YEAR, withZulu } from "../../time/instant";
import { type Occurrence, occurrences, withOffset } from "../../time/recurrence";
import { type Zone, zoneOf } from "../../time/zone";
import { type CheckedInput, checkInputWithFacts } from "../check/check-input";
import { type Facts, readFacts } from "../check/facts";
import type { NewSchedule } from "../input";
import { getSchedule, toPublicationInputs } from "../read";
import { storeWithImports, takeIds, toSchedule } from "../store";
import { NotApproved } from "../update";
import { MAX_REPEATS, type RepeatInput, recurrenceOf } from "./input";
import { type DateNearDuplicate, nearDuplicatesByDate } from "./near-dates";

export type RepeatedDate = Occurrence & {
  outcome: "ready" | "left_out" | "created";
  id?: number;
  nearDuplicates: DateNearDuplicate[];
};
/** `problems` apply to every date: errors, which prevent all of them, and warnings. */
export type RepeatResult = { zone: Zone; dates: RepeatedDate[]; problems: Problem[] };

type RepeatOptions = {
  /** Computes the result without creating anything. */
  dryRun: boolean;
  first?: AnswerToStore<RepeatResult>;
  now?: Date;
};

/** Checks the copies of a schedule. Only their times differ, and all of them are in the future, so one check serves them all. */
async function checkForDates(facts: Facts, publications: NewSchedule["publications"], times: string[]) {
  const [scheduledTime] = times;
  if (scheduledTime === undefined) return [];
  const checked = await checkInputWithFacts(facts, { scheduledTime, isDraft: false, publications });
  return times.map((at): CheckedInput => ({ ...checked, at }));
}

/**
 * Creates a copy of a schedule at each date of the input, all in one transaction. The dates start after the schedule's own time,
 * or after now if that is later.
 * @throws NotFound; BadRequest if the dates are impossible or a network would reject the post; Conflict, also for a proposal
 * without an approval; AlreadyAnswered
 */
export async function repeatSchedule(
  ownerId: string,
  id: number,
  input: RepeatInput,
  options: RepeatOptions,
): Promise<RepeatResult> {
  const { dryRun, first, now = new Date() } = options;
  if (first) await assertFirstRequest(db, first.ticket);
  const source = await getSchedule(ownerId, id);
  if (source.proposedAt && !source.approvedDigest) throw new NotApproved(source);
  const zone = zoneOf(input.timeZone);
  const after = Math.max(now.getTime(), source.scheduledTime ? Date.parse(source.scheduledTime) : 0);
  const all = datesOf(input, zone, after);
  const kept = all.filter(({ date }) => !input.leaveOut.includes(date));
  const publications = toPublicationInputs(source);
  const facts = await readFacts(ownerId, publications);
  const checked = await checkForDates(
    facts,
    publications,
    kept.map(({ instant }) => new Date(instant).toISOString()),
  );
  const problems = checked[0]?.problems ?? [];
  if (!dryRun && blockingProblems(problems).length > 0) throw new BadRequest(...blockingProblems(problems));
  const nearDuplicates = await nearDuplicatesByDate(ownerId, publications, kept);
  const resultWith = (made: Map<string, number>): RepeatResult => ({
    ...{ zone, problems },
    dates: all.map((one) => ({
      ...one,
      ...outcomeOf(one.date, { input, made }),
      nearDuplicates: nearDuplicates.get(one.date) ?? [],
    })),
  });
  if (dryRun) return resultWith(new Map());
  return db.transaction(async (tx) => {
    if (first) await claimTurn(tx, first.ticket);
    if (first) await assertFirstRequest(tx, first.ticket);
    const ids = await createAll(tx, ownerId, checked);
    const done = resultWith(new Map(kept.map(({ date }, index) => [date, ids[index] ?? 0])));
    if (first) await storeAnswer(tx, first.ticket, first.of(done));
    return done;
  });
}

function outcomeOf(date: string, { input, made }: { input: RepeatInput; made: Map<string, number> }) {
  if (input.leaveOut.includes(date)) return { outcome: "left_out" as const };
  const id = made.get(date);
  return id === undefined ? { outcome: "ready" as const } : { outcome: "created" as const, id };
}

async function createAll(tx: Tx, ownerId: string, checked: CheckedInput[]): Promise<number[]> {
  const fresh = await takeIds(tx, checked);
  const ids: number[] = [];
  for (const [index, one] of checked.entries()) {
    const own = fresh[index] ?? one.ids;
    const { id } = await storeWithImports(tx, ownerId, toSchedule(own.schedule, false, { ...one, ids: own }));
    ids.push(id);
  }
  return ids;
}

/**
 * Returns the dates of the input, including those in `leaveOut`.
 * @param after the instant after which the dates start
 * @throws BadRequest if there are no dates or too many, or if a date in `leaveOut` is not one of them
 */
function datesOf(input: RepeatInput, zone: Zone, after: number): Occurrence[] {
  const dates: Occurrence[] = [];
  for (const one of occurrences(zone, recurrenceOf(input), after)) {
    if (input.until !== undefined && one.date > input.until) {
      if (dates.length > 0) break;
      throw new BadRequest(`until is before the first date, ${one.date}`);
    }
    if (dates.length === MAX_REPEATS) {
      const last = dates.at(-1)?.date;
      throw new BadRequest(`until makes more than ${MAX_REPEATS} posts: the ${MAX_REPEATS}th is on ${last}`);
    }
    if (new Date(one.instant).getUTCFullYear() > LAST_YEAR)
      throw new BadRequest(`The last date must be in the year ${LAST_YEAR} at the latest`);
    dates.push(one);
    if (dates.length === input.count) break;
  }
  assertLeaveOut(input.leaveOut, dates);
  return dates;
}

function assertLeaveOut(leaveOut: string[], dates: Occurrence[]): void {
  const known = new Set(dates.map(({ date }) => date));
  const strange = leaveOut.flatMap((date, index) =>
    known.has(date) ? [] : [`leaveOut[${index}] is not one of the dates: ${date}`],
  );
  if (strange.length > 0) throw new BadRequest(...strange);
  if (new Set(leaveOut).size === known.size) throw new BadRequest("leaveOut removes every date");
}

/** The response of repeating a schedule: each date with its local time, its outcome and its near-duplicates. */
export function presentRepeats({ zone, dates, problems }: RepeatResult, dryRun: boolean) {
  const count = (outcome: RepeatedDate["outcome"]) => dates.filter((one) => one.outcome === outcome).length;
  return {
    dryRun,
    counts: { ready: count("ready"), leftOut: count("left_out"), created: count("created") },
    dates: dates.map(({ date, instant, clock, isMonthEnd, outcome, id, nearDuplicates }) => ({
      date,
      scheduledTime: withZulu(new Date(instant).toISOString()),
      localTime: withOffset(zone, instant),
      ...(clock ? { clock } : {}),
      ...(isMonthEnd ? { isMonthEnd } : {}),
      outcome,
      ...(id === undefined ? {} : { id }),
      nearDuplicates: nearDuplicates.map(({ scheduleId, accountId, at }) => ({
        ...(scheduleId === undefined ? {} : { id: scheduleId }),
        socialMediaAccountId: accountId,
        scheduledTime: withZulu(at),
      })),
    })),
    problems: problems.map(({ change: _, ...problem }) => problem),
  };
}
