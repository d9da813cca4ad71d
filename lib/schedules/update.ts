import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { db, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { BadRequest, blockingProblems, Conflict, NotFound, PreconditionFailed } from "../errors";
import { entityTagOf, matchesIfMatch } from "../http/headers";
import type { Lockout } from "../users";
import { checkInput } from "./check/check-input";
import { cancelImports } from "./imports/attach";
import type { FlatSchedule, NewSchedule } from "./input";
import { presentSchedule, type ShownSchedule } from "./present";
import { getSchedule, type Schedule } from "./read";
import { storeWithImports, toSchedule } from "./store";

/** Nothing of a schedule with these statuses was sent, so all of it can still change. */
export const NOT_STARTED: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"];

/**
 * Replaces a schedule that has not started. A claim locks the schedule's row first, so a worker claims either the new version
 * or none. Publications and posts get new ids.
 * @param ifMatch the version that may be replaced (RFC 9110 §13.1.1); any version if absent
 * @throws NotFound; Conflict once it has started; BadRequest with every problem at once; PreconditionFailed
 */
export async function updateSchedule(
  ownerId: string,
  id: number,
  input: NewSchedule | FlatSchedule,
  ifMatch?: string,
): Promise<ShownSchedule> {
  assertNotStarted(await getSchedule(ownerId, id));
  const { problems, ...checked } = await checkInput(ownerId, input, { ids: "parts" });
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  const schedule = toSchedule(id, input.isDraft, checked);
  return db.transaction(async (tx) => {
    const before = await lockSchedule(tx, ownerId, id);
    assertNotStarted(before);
    // Updates wait for the lock, so of several that name the same version only the first one matches.
    if (ifMatch !== undefined) assertMatches(ifMatch, await getSchedule(ownerId, id, tx));
    return replaceSchedule(tx, before, schedule);
  });
}

/**
 * Replaces a schedule that the caller has locked, and that has not started, with a checked one.
 * @throws BeingDeleted; Conflict if an account or file was removed after the check
 */
export async function replaceSchedule(
  tx: Tx,
  { ownerId, id, changesRequested }: Pick<Schedule, "ownerId" | "id" | "changesRequested">,
  schedule: ShownSchedule,
): Promise<ShownSchedule> {
  await cancelImports(tx, [id]);
  await tx.delete(publications).where(eq(publications.scheduleId, id));
  const shown = await storeWithImports(tx, ownerId, schedule);
  return { ...shown, changesRequested };
}

/** After the first reset of an address that was never confirmed, nothing is published that someone else may have planned. */
export const moveSchedulesOfUserToDrafts: Lockout = async (tx, userId, { isFirstConfirmation }) => {
  if (!isFirstConfirmation) return [];
  const planned = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.ownerId, userId), inArray(schedules.status, NOT_STARTED), ne(schedules.status, "DRAFT")))
    .orderBy(asc(schedules.id))
    .for("update");
  if (planned.length === 0) return [];
  const ids = planned.map(({ id }) => id);
  await tx.update(schedules).set({ status: "DRAFT", updatedAt: sql`now()` }).where(inArray(schedules.id, ids));
  await tx.update(publications).set({ dueAt: null }).where(inArray(publications.scheduleId, ids));
  return ["Scheduled posts became drafts, because your address had never been confirmed before."];
};

/** @throws Conflict if a part of the schedule was sent */
export function assertNotStarted({ id, status }: { id: number; status: ScheduleStatus }): void {
  if (NOT_STARTED.includes(status)) return;
  const why = status === "IN_PROGRESS" ? "is being published" : "has already been published or attempted";
  throw new Conflict(`Post ${id} ${why} and can no longer be changed`);
}

function assertMatches(ifMatch: string, schedule: ShownSchedule): void {
  if (!matchesIfMatch(ifMatch, entityTagOf(presentSchedule(schedule))))
    throw new PreconditionFailed("Post", schedule.id);
}

/** Locks a schedule; every transaction locks the schedule before its publications. */
export async function lockSchedule(tx: Tx, ownerId: string, id: number) {
  const [schedule] = await lockSchedules(tx, ownerId, [id]);
  if (!schedule) throw new NotFound("Posting schedule", id);
  return schedule;
}

/** Locks those of several schedules that exist, in the order of their ids, to avoid deadlocks. */
export function lockSchedules(tx: Tx, ownerId: string, ids: number[]) {
  return tx
    .select()
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.id, ids)))
    .orderBy(asc(schedules.id))
    .for("update");
}
