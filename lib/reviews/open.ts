import { and, asc, eq, isNull } from "drizzle-orm";
import { db, feedback, reviewLinks, schedules, users } from "../db";
import { NotFound } from "../errors";
import { getSchedule } from "../schedules";
import { digestOf } from "../secrets";
import { contentDigest } from "./digest";
import { type Feedback, feedbackColumns } from "./feedback";
import { type ShownSchedule, showSchedule } from "./shown";

/** A schedule as whoever has a link sees it. */
export type Review = {
  shown: ShownSchedule;
  endsAt: Date;
  /** Of the content as it is shown. */
  digest: Buffer;
  /** What was said by this very link; what was said by others is not for its reader. */
  said: Feedback[];
};

/**
 * Whose link it is, and until when it works.
 * @throws NotFound for one that never was or was revoked, and where its schedule or the owner of it is gone
 */
export async function findReviewLink(token: string) {
  const [link] = await db
    .select({
      id: reviewLinks.id,
      scheduleId: reviewLinks.scheduleId,
      ownerId: schedules.ownerId,
      expiresAt: reviewLinks.expiresAt,
    })
    .from(reviewLinks)
    .innerJoin(schedules, eq(schedules.id, reviewLinks.scheduleId))
    .innerJoin(users, eq(users.id, schedules.ownerId))
    .where(and(eq(reviewLinks.tokenHash, digestOf(token)), isNull(users.deletingAt), isNull(users.suspendedAt)));
  if (!link) throw new NotFound("Review", "this link");
  return { ...link, expiresAt: new Date(link.expiresAt) };
}

/**
 * Whether a link shows something, or has ended.
 * @throws NotFound as opening it does
 */
export async function isReviewLinkOpen(token: string, now = new Date()): Promise<boolean> {
  return (await findReviewLink(token)).expiresAt > now;
}

/**
 * What a link shows; undefined where it has ended.
 * @throws NotFound
 */
export async function openReview(token: string, now = new Date()): Promise<Review | undefined> {
  const { id, scheduleId, ownerId, expiresAt: endsAt } = await findReviewLink(token);
  if (endsAt <= now) return undefined;
  // The digest first: should the schedule change in between, what is said is for the earlier version, and never for one unseen.
  const digest = contentDigest(await getSchedule(ownerId, scheduleId));
  const shown = await showSchedule(ownerId, scheduleId, endsAt);
  const said = await db.select(feedbackColumns).from(feedback).where(eq(feedback.linkId, id)).orderBy(asc(feedback.id));
  return { shown, endsAt, digest, said };
}
