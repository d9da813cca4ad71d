import { db, type Tx } from "../../db";
import { assertFirst, claimTurn, type FirstAnswer, keepAnswer } from "../../db/idempotency";
import { BadRequest, type Problem, refusalsIn } from "../../errors";
import type { Occurrence } from "../../time/recurrence";
import { type Zone, zoneOf } from "../../time/zone";
import { publicationsOf } from "../body-of";
import { type Examined, examineBy } from "../check/check-input";
import { factsOf } from "../check/facts";
import { keepSchedule } from "../create";
import { freshIds } from "../csv/ids";
import { getSchedule } from "../read";
import { scheduleOf } from "../store";
import { datesOf } from "./dates";
import type { RepeatWish } from "./input";
import { type DateTwin, twinsByDate } from "./near-duplicates";

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
