import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { db, posts, publications, publishSteps, schedules, type Tx } from "../db";
import { Conflict } from "../errors";
import { emit } from "../webhooks";
import { deletionEvent } from "./events";
import { cancelImports } from "./imports/attach";
import { getSchedule, type Schedule } from "./read";
import { assertMatches, assertWaiting, lockSchedule } from "./update";

type DeleteOptions = {
  /** The version that may be deleted (RFC 9110 §13.1.1); any version if absent. */
  ifMatch?: string;
  /** An application withdraws its proposal. It can do so only until a person has approved it. */
  isProposer?: boolean;
};

/**
 * Deletes a schedule that is not being published.
 * @throws NotFound; Conflict while the schedule is being published; PreconditionFailed
 */
export async function deleteSchedule(
  ownerId: string,
  id: number,
  { ifMatch, isProposer = false }: DeleteOptions = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, ownerId, id);
    if (isProposer) assertWaiting(schedule);
    if (schedule.status === "IN_PROGRESS")
      throw new Conflict(`Post ${id} is being published and can no longer be deleted`);
    const whole = await getSchedule(ownerId, id, tx);
    if (ifMatch !== undefined) assertMatches(ifMatch, whole);
    await deleteSchedules(tx, [whole]);
  });
}

/** Deletes schedules that the caller has locked and that are not in progress. */
export async function deleteSchedules(tx: Tx, locked: Schedule[]): Promise<void> {
  const ids = locked.map(({ id }) => id);
  for (const schedule of locked) await emit(tx, [deletionEvent(schedule)]); // one by one: each may have 1 MB
  await cancelImports(tx, ids);
  await tx.delete(schedules).where(inArray(schedules.id, ids));
}

/**
 * Deletes all schedules of a user who is being deleted. Calls to a network that were announced before are completed first:
 * while one is pending, this returns when to try again. All other claims are lost.
 */
export async function eraseSchedules(ownerId: string): Promise<undefined | { againInSeconds: number }> {
  const [busy] = await db
    .select({ id: publications.id })
    .from(publications)
    .innerJoin(schedules, eq(schedules.id, publications.scheduleId))
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .innerJoin(publishSteps, and(eq(publishSteps.postId, posts.id), eq(publishSteps.state, "SENDING")))
    .where(and(eq(schedules.ownerId, ownerId), gt(publications.claimUntil, sql`clock_timestamp()`)))
    .limit(1);
  if (busy) return { againInSeconds: 1 };
  const mine = await db.select({ id: schedules.id }).from(schedules).where(eq(schedules.ownerId, ownerId));
  for (const { id } of mine) {
    await db.transaction(async (tx) => {
      await tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.id, id)).for("update");
      await tx.delete(schedules).where(eq(schedules.id, id));
    });
  }
}
