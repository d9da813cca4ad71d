import { and, asc, eq, inArray } from "drizzle-orm";
import { db, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { BadRequest, ChangedMeanwhile, Conflict, NotFound, refusalsIn } from "../errors";
import { isNamed, tagOf } from "../http/entity-tag";
import { examine } from "./check/check-input";
import { withdrawImportsOf, withImports } from "./imports/attach";
import type { FlatSchedule, NewSchedule } from "./input";
import { presentSchedule, type ShownSchedule } from "./present";
import { getSchedule, type Schedule } from "./read";
import { scheduleOf, storeSchedule } from "./store";

const WHAT = "Posting schedule";

/** Nothing of it was ever sent, so all of it can still be another. */
export const NOT_STARTED: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"];

/**
 * Replaces a schedule that has not started. A claim locks the schedule's row before it takes a publication: either the
 * replacement came first and what is claimed is the new one, or it is refused. Publications and posts get new ids.
 * @throws NotFound; Conflict once it has started; BadRequest with every problem at once; ChangedMeanwhile
 * @param ifMatch what it has to be like to be replaced (RFC 9110 §13.1.1); anything where nothing is said
 */
export async function updateSchedule(
  ownerId: string,
  id: number,
  input: NewSchedule | FlatSchedule,
  ifMatch?: string,
): Promise<ShownSchedule> {
  assertNotStarted(await getSchedule(ownerId, id));
  const { problems, ...examined } = await examine(ownerId, input, { ids: "parts" });
  const refusals = refusalsIn(problems);
  if (refusals.length > 0) throw new BadRequest(...refusals);
  const schedule = scheduleOf(id, input.isDraft, examined);
  return db.transaction(async (tx) => {
    const before = await lockedSchedule(tx, ownerId, id);
    assertNotStarted(before);
    // Whoever replaces it waits for the lock, so of several that name the same version the first alone finds it.
    if (ifMatch !== undefined) assertNamed(ifMatch, await getSchedule(ownerId, id, tx));
    return replaceLocked(tx, before, schedule);
  });
}

/**
 * Writes a schedule that was examined over the one that the caller has locked and found not started.
 * @throws BeingDeleted; Conflict where something was removed since it was examined
 */
export async function replaceLocked(
  tx: Tx,
  { ownerId, id, changesRequested }: Pick<Schedule, "ownerId" | "id" | "changesRequested">,
  schedule: ShownSchedule,
): Promise<ShownSchedule> {
  await withdrawImportsOf(tx, [id]);
  await tx.delete(publications).where(eq(publications.scheduleId, id));
  await storeSchedule(tx, ownerId, schedule);
  const shown = await withImports(tx, ownerId, schedule);
  return { ...shown, changesRequested };
}

/** @throws Conflict where something of it was sent */
export function assertNotStarted({ id, status }: { id: number; status: ScheduleStatus }): void {
  if (NOT_STARTED.includes(status)) return;
  const why = status === "IN_PROGRESS" ? "is being published" : "has been published or tried";
  throw new Conflict(`${WHAT} ${id} ${why} and can no longer be changed`);
}

function assertNamed(ifMatch: string, schedule: ShownSchedule): void {
  if (!isNamed(ifMatch, tagOf(presentSchedule(schedule)))) throw new ChangedMeanwhile(WHAT, schedule.id);
}

/** The schedule, locked before its publications as everybody locks them. */
export async function lockedSchedule(tx: Tx, ownerId: string, id: number) {
  const [schedule] = await lockSchedules(tx, ownerId, [id]);
  if (!schedule) throw new NotFound(WHAT, id);
  return schedule;
}

/** Locks those of several schedules that are there, in one order for everybody, so that no two wait for each other. */
export function lockSchedules(tx: Tx, ownerId: string, ids: number[]) {
  return tx
    .select()
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.id, ids)))
    .orderBy(asc(schedules.id))
    .for("update");
}
