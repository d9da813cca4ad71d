import { and, eq, isNull, sql } from "drizzle-orm";
import { db, feedback, type ReviewVerdict, reviewLinks, type ScheduleStatus, type Tx } from "../db";
import { assertStorableValue } from "../db/statement";
import { BadRequest, Conflict, NotFound, StateExpired } from "../errors";
import { oneLine } from "../mail/one-line";
import { findReviewLink } from "./review";
import { lockSchedule, notifyDashboards, updateChangesRequested } from "./schedule-row";

export const MAX_FEEDBACK_NAME_LENGTH = 80;
export const MAX_FEEDBACK_TEXT_LENGTH = 2_000;
/** More than people say of one post; who is flooded removes the link. */
const MAX_FEEDBACK = 200;

/** What nothing can be said of any more: it is out, or on its way. */
const OPEN: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"];

export function acceptsFeedback(status: ScheduleStatus): boolean {
  return OPEN.includes(status);
}

/** As a form gives it. */
type FeedbackInput = { name: string; text: string; verdict?: ReviewVerdict; digest: string };

/**
 * Keeps what somebody with a link says of a schedule, of the content that they were shown. Who approves has nothing left that
 * should be changed: what they asked for by the same link before is closed.
 * @throws BadRequest, NotFound, Conflict where nothing can be said any more; StateExpired where the link has ended
 */
export async function createFeedback(token: string, said: FeedbackInput, now = new Date()): Promise<void> {
  const value = parseFeedback(said);
  const link = await findReviewLink(token);
  if (link.expiresAt <= now) throw new StateExpired();
  await db.transaction(async (tx) => {
    const { status } = await lockSchedule(tx, link.scheduleId);
    await assertLinkExists(tx, link.id);
    if (!acceptsFeedback(status))
      throw new Conflict("This post is out or on its way: nothing can be said of it any more");
    if ((await tx.$count(feedback, eq(feedback.scheduleId, link.scheduleId))) >= MAX_FEEDBACK) {
      throw new Conflict("So much was said of this post already that nothing more is kept");
    }
    if (value.verdict === "APPROVED") await closeRequests(tx, link.id, now);
    await tx.insert(feedback).values({ ...value, scheduleId: link.scheduleId, linkId: link.id });
    await updateChangesRequested(tx, link.scheduleId);
    await notifyDashboards(tx, link.ownerId);
  });
}

/** A link that was revoked meanwhile takes nothing. */
async function assertLinkExists(tx: Tx, id: number): Promise<void> {
  const [link] = await tx.select({ id: reviewLinks.id }).from(reviewLinks).where(eq(reviewLinks.id, id)).for("share");
  if (!link) throw new NotFound("Review", "this link");
}

async function closeRequests(tx: Tx, linkId: number, now: Date): Promise<void> {
  await tx
    .update(feedback)
    .set({ closedAt: now.toISOString() })
    .where(and(eq(feedback.linkId, linkId), isNull(feedback.closedAt), sql`${feedback.verdict} = 'CHANGES_REQUESTED'`));
}

/** @throws BadRequest with everything that is wrong */
function parseFeedback({ name: given, text: written, verdict, digest }: FeedbackInput) {
  assertStorableValue({ given, written });
  const name = oneLine(given);
  const text = written.replaceAll("\r\n", "\n").trim();
  const wrong = [
    ...(name === "" ? ["Your name is missing"] : []),
    ...(name.length > MAX_FEEDBACK_NAME_LENGTH
      ? [`Your name is longer than ${MAX_FEEDBACK_NAME_LENGTH} characters`]
      : []),
    ...(text === "" && verdict !== "APPROVED" ? ["Your comment is missing"] : []),
    ...(text.length > MAX_FEEDBACK_TEXT_LENGTH
      ? [`Your comment is longer than ${MAX_FEEDBACK_TEXT_LENGTH} characters`]
      : []),
    ...(/^[0-9a-f]{64}$/.test(digest) ? [] : ["The form does not say what you were shown"]),
  ];
  if (wrong.length > 0) throw new BadRequest(...wrong);
  return { name, text, verdict: verdict ?? null, contentDigest: Buffer.from(digest, "hex") };
}
