import { and, asc, desc, eq, sql } from "drizzle-orm";
import { db, feedback, schedules } from "../db";
import { NotFound } from "../errors";
import { getSchedule } from "../schedules";
import { contentDigest, lockSchedule, notifyDashboards, updateChangesRequested } from "./schedule-row";

/** The columns that callers may see. */
export const feedbackColumns = {
  id: feedback.id,
  scheduleId: feedback.scheduleId,
  name: feedback.name,
  verdict: feedback.verdict,
  text: feedback.text,
  contentDigest: feedback.contentDigest,
  answer: feedback.answer,
  answeredAt: feedback.answeredAt,
  closedAt: feedback.closedAt,
  createdAt: feedback.createdAt,
};

export type Feedback = Pick<typeof feedback.$inferSelect, keyof typeof feedbackColumns>;
/** `isCurrent`: the content has not changed since the feedback was given. */
export type ListedFeedback = Feedback & { isCurrent: boolean };

/**
 * A schedule's feedback, oldest first.
 * @throws NotFound
 */
export async function listFeedback(ownerId: string, scheduleId: number): Promise<ListedFeedback[]> {
  const now = contentDigest(await getSchedule(ownerId, scheduleId));
  const rows = await db
    .select(feedbackColumns)
    .from(feedback)
    .where(eq(feedback.scheduleId, scheduleId))
    .orderBy(asc(feedback.id));
  return rows.map((row) => ({ ...row, isCurrent: row.contentDigest.equals(now) }));
}

/** All feedback on an owner's schedules, newest first. */
export async function listAllFeedback(ownerId: string): Promise<Feedback[]> {
  return db
    .select(feedbackColumns)
    .from(feedback)
    .innerJoin(schedules, eq(schedules.id, feedback.scheduleId))
    .where(eq(schedules.ownerId, ownerId))
    .orderBy(desc(feedback.id));
}

/** The owner's reaction; an absent field stays as it is. */
type FeedbackUpdate = { answer?: string; isClosed?: boolean };

/**
 * Answers feedback (replacing an earlier answer), closes it or reopens it.
 * @throws NotFound if the schedule or the feedback does not exist
 */
export async function updateFeedback(
  ownerId: string,
  scheduleId: number,
  id: number,
  { answer, isClosed }: FeedbackUpdate,
  now = new Date(),
): Promise<ListedFeedback> {
  const at = now.toISOString();
  await db.transaction(async (tx) => {
    await lockSchedule(tx, scheduleId, ownerId);
    const [known] = await tx
      .update(feedback)
      .set({
        name: sql`${feedback.name}`, // an update needs at least one column, even without changes
        ...(answer === undefined ? {} : { answer, answeredAt: at }),
        ...(isClosed === undefined ? {} : { closedAt: isClosed ? at : null }),
      })
      .where(and(eq(feedback.id, id), eq(feedback.scheduleId, scheduleId)))
      .returning({ id: feedback.id });
    if (!known) throw new NotFound("Feedback", id);
    await updateChangesRequested(tx, scheduleId);
    await notifyDashboards(tx, ownerId);
  });
  const all = await listFeedback(ownerId, scheduleId);
  const one = all.find((item) => item.id === id);
  if (!one) throw new NotFound("Feedback", id);
  return one;
}
