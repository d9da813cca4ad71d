import { and, eq, inArray, sql } from "drizzle-orm";
import { dbOrTransaction, posts, publications, publishSteps, schedules } from "../db";
import { Conflict } from "../errors";
import { emit } from "../webhooks";
import { scheduleEvent } from "./events";
import { restartImports } from "./imports/attach";
import { notifyDue } from "./publish/claim";
import { isUnresolvedStep } from "./publish/steps";
import { getSchedule, type Schedule } from "./read";
import { lockSchedule } from "./update";

/** The statuses that a retry tries again. */
const RETRYABLE = ["FAILED", "UNKNOWN"] as const;

/**
 * Tries the failed publications of a schedule again at once. Published posts are not touched. A post with an unknown outcome
 * keeps its intent, so the new attempt looks it up and never sends it blindly. Media that could not be imported, or that the
 * network did not accept, are imported again.
 * @throws NotFound; Conflict while the schedule is being published (one of several parallel calls succeeds), or if nothing failed
 */
export async function retrySchedule(ownerId: string, id: number): Promise<Schedule> {
  return dbOrTransaction.transaction(async (tx) => {
    const { status } = await lockSchedule(tx, ownerId, id);
    if (status === "MEDIA_IMPORT_FAILED") {
      await restartImports(tx, { ownerId, scheduleId: id });
      return getSchedule(ownerId, id, tx);
    }
    if (status === "AWAITING_MEDIA") throw new Conflict(`Posting schedule ${id} is already waiting for its media`);
    if (status === "IN_PROGRESS") throw new Conflict(`Posting schedule ${id} is already being published`);
    const undone = await tx
      .update(publications)
      .set({
        status: "IN_PROGRESS",
        attempts: 0,
        claims: 0,
        retriedAt: sql`now()`,
        claimWorker: null,
        claimUntil: null,
        dueAt: sql`now()`,
      })
      .where(and(eq(publications.scheduleId, id), inArray(publications.status, [...RETRYABLE])))
      .returning({ id: publications.id });
    if (undone.length === 0) throw new Conflict(`Posting schedule ${id} has no failed publication to retry`);
    const ids = undone.map((publication) => publication.id);
    await deletePreparations(tx, ids);
    await tx
      .update(posts)
      .set({ status: "PENDING", error: null })
      .where(and(inArray(posts.publicationId, ids), inArray(posts.status, [...RETRYABLE])));
    await tx.update(schedules).set({ status: "IN_PROGRESS", updatedAt: sql`now()` }).where(eq(schedules.id, id));
    await notifyDue(tx);
    const schedule = await getSchedule(ownerId, id, tx);
    await emit(tx, scheduleEvent(schedule));
    return schedule;
  });
}

/**
 * Deletes the preparatory steps of failed posts, because uploads and containers expire and failed ones stay failed. Steps that
 * led to a call that was sent are kept, as after a crash: with them the next attempt reaches that call again and finds its
 * result or looks it up. The same applies to every step of a post whose outcome is unknown.
 */
async function deletePreparations(
  tx: Pick<typeof dbOrTransaction, "delete" | "select">,
  publicationIds: number[],
): Promise<void> {
  const failed = tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(inArray(posts.publicationId, publicationIds), eq(posts.status, "FAILED")));
  await tx.delete(publishSteps).where(
    and(
      inArray(publishSteps.postId, failed),
      eq(publishSteps.irreversible, false),
      sql`not exists (select from publish_steps sent where sent.post_id = ${publishSteps.postId}
        and (${isUnresolvedStep("sent")} or sent.irreversible and sent.finished_at >= ${publishSteps.startedAt}))`,
    ),
  );
}
