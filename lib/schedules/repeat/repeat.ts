import { sql } from "drizzle-orm";
import { db, posts, publications, schedules, type Tx } from "../../db";
import { assertFirst, claimTurn, type FirstAnswer, keepAnswer } from "../../db/idempotency";
import { BadRequest, type Problem, refusalsIn } from "../../errors";
import { withZulu } from "../../time/instant";
import { type Occurrence, occurrences, withOffset } from "../../time/recurrence";
import { type Zone, zoneOf } from "../../time/zone";
import { type Examined, examineBy } from "../check/check-input";
import { factsOf } from "../check/facts";
import { keepSchedule } from "../create";
import type { NewSchedule } from "../input";
import { publicationsOf } from "../input";
import { NEAR_MS, type Planned, type Twin, twinsOf } from "../near-duplicates";
import { getSchedule } from "../read";
import { freshIds, scheduleOf } from "../store";
import { MOST_REPEATS, type RepeatWish, recurrenceOf } from "./input";

export type RepeatedDate = Occurrence & { outcome: "ready" | "left_out" | "created"; id?: number; twins: DateTwin[] };
/** `problems`: for what none of them could be created, or what is only said; the same for every date. */
export type Repeated = { zone: Zone; dates: RepeatedDate[]; problems: Problem[] };

type How = {
  /** Only shown. */
  dryRun: boolean;
  first?: FirstAnswer<Repeated>;
  now?: Date;
};

/**
 * Makes a schedule again at each date of a wish: schedules like any other, all of them in one transaction or none. The dates
 * begin after the schedule's own time, or now where that is over or there is none.
 * @throws NotFound; BadRequest where the dates cannot be, or a network would refuse the post; Conflict; AnsweredBefore
 */
export async function repeatSchedule(ownerId: string, id: number, wish: RepeatWish, how: How): Promise<Repeated> {
  const { dryRun, first, now = new Date() } = how;
  if (first) await assertFirst(db, first.ticket);
  const source = await getSchedule(ownerId, id);
  const zone = zoneOf(wish.timeZone);
  const after = Math.max(now.getTime(), source.scheduledTime ? Date.parse(source.scheduledTime) : 0);
  const all = datesOf(wish, zone, after);
  const kept = all.filter(({ date }) => !wish.leaveOut.includes(date));
  const publications = publicationsOf(source);
  const facts = await factsOf(ownerId, publications);
  const examined = kept.map(({ instant }) =>
    examineBy(facts, { scheduledTime: new Date(instant).toISOString(), isDraft: false, publications }),
  );
  const problems = examined[0]?.problems ?? [];
  if (!dryRun && refusalsIn(problems).length > 0) throw new BadRequest(...refusalsIn(problems));
  const twins = await twinsByDate(ownerId, publications, kept);
  const shown = (made: Map<string, number>): Repeated => ({
    ...{ zone, problems },
    dates: all.map((one) => ({ ...one, ...outcomeOf(one.date, { wish, made }), twins: twins.get(one.date) ?? [] })),
  });
  if (dryRun) return shown(new Map());
  return db.transaction(async (tx) => {
    if (first) await claimTurn(tx, first.ticket);
    if (first) await assertFirst(tx, first.ticket);
    const ids = await create(tx, ownerId, examined);
    const done = shown(new Map(kept.map(({ date }, index) => [date, ids[index] ?? 0])));
    if (first) await keepAnswer(tx, first.ticket, first.of(done));
    return done;
  });
}

function outcomeOf(date: string, { wish, made }: { wish: RepeatWish; made: Map<string, number> }) {
  if (wish.leaveOut.includes(date)) return { outcome: "left_out" as const };
  const id = made.get(date);
  return id === undefined ? { outcome: "ready" as const } : { outcome: "created" as const, id };
}

async function create(tx: Tx, ownerId: string, examined: Examined[]): Promise<number[]> {
  const fresh = await freshIds(tx, examined);
  const ids: number[] = [];
  for (const [index, one] of examined.entries()) {
    const own = fresh[index] ?? one.ids;
    const { id } = await keepSchedule(tx, ownerId, scheduleOf(own.schedule, false, { ...one, ids: own }));
    ids.push(id);
  }
  return ids;
}

/**
 * The dates that a wish asks for, those that it leaves out included; pure.
 * @param after the instant after which they begin
 * @throws BadRequest where there are none or too many, or what is to be left out is none of them
 */
function datesOf(wish: RepeatWish, zone: Zone, after: number): Occurrence[] {
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

/** The same words on the same account near a date; without an id it is another date of the same wish. */
type DateTwin = Pick<Twin, "accountId" | "at"> & { scheduleId?: number };

type Publications = NewSchedule["publications"];

/** By date, what goes out near it that says the same, of what is planned or was published and of the dates themselves. */
async function twinsByDate(
  ownerId: string,
  publications: Publications,
  dates: Occurrence[],
): Promise<Map<string, DateTwin[]>> {
  const there = await plannedNear(ownerId, publications, dates);
  // Under ids that no schedule has.
  const own = dates.map(({ instant }, index): Planned => ({ ...plannedAt(instant, publications), id: -1 - index }));
  return new Map(
    dates.map(({ date, instant }, index) => {
      const twins = twinsOf(publications, { at: instant, besides: -1 - index }, [...there, ...own]);
      return [date, twins.map(({ scheduleId, ...twin }) => (scheduleId < 0 ? twin : { ...twin, scheduleId }))];
    }),
  );
}

function plannedAt(instant: number, publications: Publications): Omit<Planned, "id"> {
  return { overallStatus: "SCHEDULED", scheduledTime: new Date(instant).toISOString(), publications };
}

type Row = { id: number; status: string; at: string; accountId: number; texts: string[] };

/** Whatever is for one of these accounts near one of these dates, as the rule asks for it. */
async function plannedNear(ownerId: string, wanted: Publications, dates: Occurrence[]): Promise<Planned[]> {
  const accountIds = [...new Set(wanted.map(({ socialMediaAccountId }) => socialMediaAccountId))];
  const times = dates.map(({ instant }) => new Date(instant).toISOString());
  const { rows } = await db.execute<Row>(sql`
    select s.id::int8 as id, s.status, to_char(s.scheduled_time, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      p.account_id as "accountId", array_agg(q.content order by q.position) as texts
    from ${schedules} s join ${publications} p on p.schedule_id = s.id join ${posts} q on q.publication_id = p.id
    where s.owner_id = ${ownerId} and p.account_id = any(${sql.param(accountIds)}::bigint[]) and exists (
      select from unnest(${sql.param(times)}::timestamptz[]) as near(t)
      where s.scheduled_time between near.t - make_interval(secs => ${NEAR_MS / 1000}) and near.t + make_interval(secs => ${NEAR_MS / 1000}))
    group by s.id, p.id order by s.scheduled_time, s.id`);
  return rows.map(({ id, status, at, accountId, texts }) => ({
    id: Number(id),
    overallStatus: status,
    scheduledTime: at,
    publications: [{ socialMediaAccountId: Number(accountId), posts: texts.map((content) => ({ content })) }],
  }));
}

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
