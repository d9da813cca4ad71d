import { and, eq } from "drizzle-orm";
import { type ScheduleStatus, schedules, type Tx } from "../db";
import { NotFound } from "../errors";

/**
 * Holds a schedule's row, as everybody does who changes what belongs to it, until the transaction ends.
 * @param ownerId whose it has to be, where that is not known otherwise
 * @throws NotFound
 */
export async function lockSchedule(
  tx: Tx,
  id: number,
  ownerId?: string,
): Promise<{ status: ScheduleStatus; ownerId: string }> {
  const [row] = await tx
    .select({ status: schedules.status, ownerId: schedules.ownerId })
    .from(schedules)
    .where(and(eq(schedules.id, id), ownerId === undefined ? undefined : eq(schedules.ownerId, ownerId)))
    .for("update");
  if (!row) throw new NotFound("Posting schedule", id);
  return row;
}
