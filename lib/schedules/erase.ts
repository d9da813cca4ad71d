import { and, eq, gt, sql } from "drizzle-orm";
import { db, posts, publications, publishSteps, schedules } from "../db";

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
    .where(and(eq(schedules.ownerId, ownerId), gt(publications.leaseUntil, sql`clock_timestamp()`)))
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
