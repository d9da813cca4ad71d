import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { db, feedback, type ReviewVerdict, reviewLinks, type ScheduleStatus, schedules, type Tx } from "../db";
import { assertStorableValue } from "../db/statement";
import { BadRequest, Conflict, NotFound, StateExpired } from "../errors";
import { oneLine } from "../mail/one-line";
import { getSchedule } from "../schedules";
import { withZulu } from "../time/instant";
import { findReviewLink } from "./links";
import { contentDigest, lockReviewedSchedule, notifyDashboards, updateChangesRequested } from "./schedule-row";

export const MAX_FEEDBACK_NAME_LENGTH = 80;
export const MAX_FEEDBACK_TEXT_LENGTH = 2_000;
/** Far more than one post gets; an owner who is flooded can remove the link. */
const MAX_FEEDBACK = 200;

/** Feedback is accepted until publishing starts. */
const OPEN: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"];

export function acceptsFeedback(status: ScheduleStatus): boolean {
  return OPEN.includes(status);
}

/** The form's values. */
type FeedbackInput = { name: string; text: string; verdict?: ReviewVerdict; digest: string };

/**
 * Stores feedback from a person with a review link, with the digest of the content that they saw. An approval closes the
 * changes requested earlier through the same link.
 * @throws BadRequest, NotFound, Conflict if no more feedback is accepted; StateExpired if the link has expired
 */
export async function createFeedback(token: string, input: FeedbackInput): Promise<void> {
  const value = parseFeedback(input);
  const link = await findReviewLink(token);
  if (link.isExpired) throw new StateExpired();
  await db.transaction(async (tx) => {
    const { status } = await lockReviewedSchedule(tx, link.scheduleId);
    await assertLinkExists(tx, link.id);
    if (!acceptsFeedback(status))
      throw new Conflict("This post is published or being published, so it no longer accepts feedback");
    if ((await tx.$count(feedback, eq(feedback.scheduleId, link.scheduleId))) >= MAX_FEEDBACK) {
      throw new Conflict("This post has reached the maximum number of comments");
    }
    if (value.verdict === "APPROVED") await closeRequests(tx, link.id);
    await tx.insert(feedback).values({ ...value, scheduleId: link.scheduleId, linkId: link.id });
    await updateChangesRequested(tx, link.scheduleId);
    await notifyDashboards(tx, link.ownerId);
  });
}

/** A link that was removed meanwhile accepts nothing. */
async function assertLinkExists(tx: Tx, id: number): Promise<void> {
  const [link] = await tx.select({ id: reviewLinks.id }).from(reviewLinks).where(eq(reviewLinks.id, id)).for("share");
  if (!link) throw new NotFound("Review", "this link");
}

async function closeRequests(tx: Tx, linkId: number): Promise<void> {
  await tx
    .update(feedback)
    .set({ closedAt: sql`now()` })
    .where(and(eq(feedback.linkId, linkId), isNull(feedback.closedAt), sql`${feedback.verdict} = 'CHANGES_REQUESTED'`));
}

/** @throws BadRequest with every problem */
function parseFeedback({ name: given, text: written, verdict, digest }: FeedbackInput) {
  assertStorableValue({ given, written });
  const name = oneLine(given);
  const text = written.replaceAll("\r\n", "\n").trim();
  const problems = [
    ...(name === "" ? ["Your name is missing"] : []),
    ...(name.length > MAX_FEEDBACK_NAME_LENGTH
      ? [`Your name is longer than ${MAX_FEEDBACK_NAME_LENGTH} characters`]
      : []),
    ...(text === "" && verdict !== "APPROVED" ? ["Your comment is missing"] : []),
    ...(text.length > MAX_FEEDBACK_TEXT_LENGTH
      ? [`Your comment is longer than ${MAX_FEEDBACK_TEXT_LENGTH} characters`]
      : []),
    ...(/^[0-9a-f]{64}$/.test(digest) ? [] : ["The form is incomplete. Reload the page and try again"]),
  ];
  if (problems.length > 0) throw new BadRequest(...problems);
  return { name, text, verdict: verdict ?? null, contentDigest: Buffer.from(digest, "hex") };
}

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

/** Lists the feedback on an owner's schedules, the newest schedules first. `next` is the `after` of the next page. */
export async function listAllFeedback(
  ownerId: string,
  { limit, after }: { limit: number; after?: [scheduleId: number, id: number] },
): Promise<{ items: Feedback[]; next?: [scheduleId: number, id: number] }> {
  const beyond =
    after &&
    sql`(${feedback.scheduleId}, ${feedback.id}) < (${after[0]}::bigint, ${after[1]}::bigint)
      and ${schedules.id} <= ${after[0]}::bigint`;
  const rows = await db
    .select(feedbackColumns)
    .from(feedback)
    .innerJoin(schedules, eq(schedules.id, feedback.scheduleId))
    .where(and(eq(schedules.ownerId, ownerId), beyond))
    .orderBy(desc(feedback.scheduleId), desc(feedback.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? [last.scheduleId, last.id] : undefined };
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
): Promise<ListedFeedback> {
  const at = sql`now()`;
  await db.transaction(async (tx) => {
    await lockReviewedSchedule(tx, scheduleId, ownerId);
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

/** Feedback with the owner's answer. Fields without a value are absent. */
export function presentFeedback({ isCurrent, ...item }: ListedFeedback) {
  const { id, ...said } = presentExportedFeedback(item);
  return { id, isCurrent, ...said };
}

/** The same without `isCurrent`, for the data export. */
export function presentExportedFeedback({
  id,
  name,
  verdict,
  text,
  createdAt,
  answer,
  answeredAt,
  closedAt,
}: Feedback) {
  return {
    id,
    name,
    ...(verdict ? { verdict } : {}),
    text,
    createdTime: withZulu(createdAt),
    ...(answer === null ? {} : { answer }),
    ...(answeredAt ? { answeredTime: withZulu(answeredAt) } : {}),
    ...(closedAt ? { closedTime: withZulu(closedAt) } : {}),
  };
}
