import { eq } from "drizzle-orm";
import { db, schedules } from "../db";
import { Conflict } from "../errors";
import { emit } from "../webhooks";
import { deletionEvent } from "./events";
import { withdrawImportsOf } from "./imports";
import { getSchedule } from "./read";
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
    await emit(tx, [deletionEvent(await getSchedule(ownerId, id, tx))]);
    await withdrawImportsOf(tx, id);
    await tx.delete(schedules).where(eq(schedules.id, id));
  });
}
