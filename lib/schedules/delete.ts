import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { db, posts, publications, publishSteps, schedules, type Tx } from "../db";
import { Conflict } from "../errors";
import { emit } from "../webhooks";
import { deletionEvent } from "./events";
import { withdrawImportsOf } from "./imports/attach";
import { getSchedule, type Schedule } from "./read";
import { lockedSchedule } from "./update";

/**
 * Removes a schedule. One that is being published stays: either the removal came first, or it is refused.
 * @throws NotFound; Conflict while it is in progress
 */
export async function deleteSchedule(ownerId: string, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const schedule = await lockedSchedule(tx, ownerId, id);
    if (schedule.status === "IN_PROGRESS")
      throw new Conflict(`Posting schedule ${id} is being published and can no longer be deleted`);
    await deleteLocked(tx, [await getSchedule(ownerId, id, tx)]);
  });
}

/** Removes schedules that the caller has locked and found not to be in progress. */
export async function deleteLocked(tx: Tx, locked: Schedule[]): Promise<void> {
  const ids = locked.map(({ id }) => id);
  await emit(tx, locked.map(deletionEvent));
  await withdrawImportsOf(tx, ids);
  await tx.delete(schedules).where(inArray(schedules.id, ids));
}

/**
 * Removes all schedules of a user who is being deleted. A call to a network that was announced before the deletion comes to
 * its end first: until then its claim holds. Any other claim is lost here.
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
