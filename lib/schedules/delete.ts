import { and, eq } from "drizzle-orm";
import { db, publications, schedules } from "../db";
import { Conflict, NotFound } from "../errors";
import { withdraw } from "../jobs";
import { publicationKey } from "./jobs";

/**
 * Removes a schedule. One that is being published stays: either the removal came first, or it is refused.
 * @throws NotFound; Conflict while it is in progress
 */
export async function deleteSchedule(ownerId: string, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [schedule] = await tx
      .select()
      .from(schedules)
      .where(and(eq(schedules.ownerId, ownerId), eq(schedules.id, id)))
      .for("update");
    if (!schedule) throw new NotFound("Posting schedule", id);
    if (schedule.status === "IN_PROGRESS")
      throw new Conflict(`Posting schedule ${id} is being published and can no longer be deleted`);
    const parts = await tx.select({ id: publications.id }).from(publications).where(eq(publications.scheduleId, id));
    for (const part of parts) await withdraw(tx, publicationKey(part.id));
    await tx.delete(schedules).where(eq(schedules.id, id));
  });
}
