import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { feedback, type ScheduleStatus, schedules, type Tx } from "../db";
import { NotFound } from "../errors";
import type { Schedule } from "../schedules";

/** Keeps on the schedule whether somebody wants it changed, so that lists need not look for it. */
export async function updateChangesRequested(tx: Tx, scheduleId: number): Promise<void> {
  await tx.execute(sql`
    update ${schedules} set changes_requested = exists (
      select from ${feedback} f where f.schedule_id = ${scheduleId} and f.verdict = 'CHANGES_REQUESTED' and f.closed_at is null)
    where id = ${scheduleId}`);
}

/** Wakes the dashboards of a person when this is stored: they ask for the rest themselves. */
export async function notifyDashboards(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_notify('feedback', ${ownerId})`);
}

/**
 * Tells one content from another: what goes to which account, with which settings and files. When it goes is not part of it,
 * so that what was said of a post stays true when the post is moved. Made of what the database holds, which has its settings
 * in an order of its own.
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
