import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { feedback, type ScheduleStatus, schedules, type Tx } from "../db";
import { notify } from "../db/listen";
import { NotFound } from "../errors";
import type { Schedule } from "../schedules";

/** Stores on the schedule whether changes are requested, so that lists need no join. */
export async function updateChangesRequested(tx: Tx, scheduleId: number): Promise<void> {
  await tx.execute(sql`
    update ${schedules} set changes_requested = exists (
      select from ${feedback} f where f.schedule_id = ${scheduleId} and f.verdict = 'CHANGES_REQUESTED' and f.closed_at is null)
    where id = ${scheduleId}`);
}

/** Notifies the owner's open dashboards after the commit; they fetch the feedback themselves. */
export async function notifyDashboards(tx: Tx, ownerId: string): Promise<void> {
  await notify(tx, "feedback", ownerId);
}

/**
 * A digest of a schedule's content: accounts, settings, texts and files. The time is not included, so that feedback stays
 * current when the schedule is moved. It is computed from the stored rows, because the database orders settings its own way.
 */
export function contentDigest({ publications }: Pick<Schedule, "publications">): Buffer {
  const content = publications.map(({ accountId, settings, posts }) => [
    accountId,
    settings,
    posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => [
      content,
      attachmentPaths,
      chatId,
      thumbnailPath,
    ]),
  ]);
  return createHash("sha256").update(JSON.stringify(content)).digest();
}

/**
 * Locks a schedule's row until the transaction ends, as every change to the schedule does.
 * @param ownerId if given, the schedule must belong to this owner
 * @throws NotFound
 */
export async function lockReviewedSchedule(
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
