import { inArray } from "drizzle-orm";
import { db, schedules, type Tx } from "../db";
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
