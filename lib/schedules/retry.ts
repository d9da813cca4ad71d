import { and, eq, inArray, sql } from "drizzle-orm";
import { db, posts, publications, publishSteps, schedules } from "../db";
import { Conflict } from "../errors";
import { emit } from "../webhooks";
import { scheduleEvent } from "./events";
import { restartImports } from "./imports/attach";
import { announceDue } from "./publish/claim";
import { isOpen } from "./publish/steps";
import { getSchedule, type Schedule } from "./read";
import { lockedSchedule } from "./update";

/** What did not come to a good end: refused or given up, or sent without anybody knowing what became of it. */
const UNDONE = ["FAILED", "UNKNOWN"] as const;

/**
 * Tries the failed publications of a schedule again, at once; published posts stay out of it. A post whose outcome is
 * unknown keeps its intent, so the new attempt looks it up and never sends it blindly. Where media could not be imported, or
 * were not what the network takes, they are imported again.
 * @throws NotFound; Conflict while it is being published (of parallel calls one succeeds), or where nothing has failed
 */
export async function retrySchedule(ownerId: string, id: number): Promise<Schedule> {
  return db.transaction(async (tx) => {
    const { status } = await lockedSchedule(tx, ownerId, id);
    if (status === "MEDIA_IMPORT_FAILED") {
      await restartImports(tx, { ownerId, scheduleId: id });
      return getSchedule(ownerId, id, tx);
    }
    if (status === "AWAITING_MEDIA") throw new Conflict(`Posting schedule ${id} is waiting for its media already`);
    if (status === "IN_PROGRESS") throw new Conflict(`Posting schedule ${id} is being published already`);
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
      .where(and(eq(publications.scheduleId, id), inArray(publications.status, [...UNDONE])))
      .returning({ id: publications.id });
    if (undone.length === 0) throw new Conflict(`Posting schedule ${id} has no failed publication to try again`);
    const ids = undone.map((publication) => publication.id);
    await forgetPreparations(tx, ids);
    await tx
      .update(posts)
      .set({ status: "PENDING", error: null })
      .where(and(inArray(posts.publicationId, ids), inArray(posts.status, [...UNDONE])));
    await tx.update(schedules).set({ status: "IN_PROGRESS", updatedAt: sql`now()` }).where(eq(schedules.id, id));
    await announceDue(tx);
    const schedule = await getSchedule(ownerId, id, tx);
    await emit(tx, scheduleEvent(schedule));
    return schedule;
  });
}

/**
 * Uploads and containers expire and a failed one stays failed, so they are made anew for posts that failed. What led to a
 * call that went out is kept, as after a crash: by it the next attempt comes to that call again, and finds it made or in
 * doubt. So is all of a post of which nobody knows whether it is out.
 */
async function forgetPreparations(tx: Pick<typeof db, "delete" | "select">, publicationIds: number[]): Promise<void> {
  const failed = tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(inArray(posts.publicationId, publicationIds), eq(posts.status, "FAILED")));
  await tx.delete(publishSteps).where(
    and(
      inArray(publishSteps.postId, failed),
      eq(publishSteps.irreversible, false),
      sql`not exists (select from publish_steps sent where sent.post_id = ${publishSteps.postId}
        and (${isOpen("sent")} or sent.irreversible and sent.finished_at >= ${publishSteps.startedAt}))`,
    ),
  );
}
