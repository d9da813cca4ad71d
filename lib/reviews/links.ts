import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { db, dbOrTransaction, reviewLinks, schedules, users } from "../db";
import { env } from "../env";
import { Conflict, NotFound } from "../errors";
import { getSchedule } from "../schedules";
import { randomToken, sha256 } from "../secrets";
import { withZulu } from "../time/instant";
import { assertStillAllowed, isOwnerActive, type Lockout } from "../users";
import { lockReviewedSchedule } from "./schedule-row";

export type ReviewLink = Pick<typeof reviewLinks.$inferSelect, "id" | "createdAt" | "expiresAt">;

/** Expired links count until they are removed, because they still show that they have expired. */
const MOST = 50;

const columns = { id: reviewLinks.id, createdAt: reviewLinks.createdAt, expiresAt: reviewLinks.expiresAt };

/** The owner of the schedule, or an application that calls for them. `sessionEpoch` is the owner's when the call was authenticated. */
type LinkCaller = { ownerId: string; sessionEpoch?: number; clientId?: string };

/**
 * Creates a link that shows a schedule's preview to anyone who has it and accepts their feedback. The link is returned only
 * once: only a hash of its token is stored. The token is in the query, which is never logged.
 * @throws NotFound; Conflict if the schedule has the maximum number of links; Unauthorized if the caller was locked out meanwhile
 */
export async function createReviewLink(
  { ownerId, sessionEpoch, clientId }: LinkCaller,
  scheduleId: number,
  days: number,
): Promise<ReviewLink & { url: string }> {
  const token = randomToken();
  return dbOrTransaction.transaction(async (tx) => {
    await assertStillAllowed(tx, { id: ownerId, sessionEpoch, clientId });
    await lockReviewedSchedule(tx, scheduleId, ownerId);
    if ((await tx.$count(reviewLinks, eq(reviewLinks.scheduleId, scheduleId))) >= MOST) {
      throw new Conflict(`Post ${scheduleId} has ${MOST} review links already; remove one first`);
    }
    const [link] = await tx
      .insert(reviewLinks)
      .values({ scheduleId, tokenHash: sha256(token), expiresAt: sql`now() + make_interval(days => ${days})` })
      .returning(columns);
    if (!link) throw new Error("the link was not stored");
    return { ...link, url: `${env.appUrl}/reviews?${new URLSearchParams({ link: token })}` };
  });
}

/**
 * A schedule's links, oldest first, including expired ones.
 * @throws NotFound
 */
export async function listReviewLinks(ownerId: string, scheduleId: number): Promise<ReviewLink[]> {
  await getSchedule(ownerId, scheduleId);
  return dbOrTransaction
    .select(columns)
    .from(reviewLinks)
    .where(eq(reviewLinks.scheduleId, scheduleId))
    .orderBy(asc(reviewLinks.id));
}

/**
 * Removes a link. It stops working at once; feedback given through it is kept.
 * @throws NotFound
 */
export async function deleteReviewLink(ownerId: string, scheduleId: number, id: number): Promise<void> {
  await getSchedule(ownerId, scheduleId);
  const [gone] = await dbOrTransaction
    .delete(reviewLinks)
    .where(and(eq(reviewLinks.id, id), eq(reviewLinks.scheduleId, scheduleId)))
    .returning({ id: reviewLinks.id });
  if (!gone) throw new NotFound("Review link", id);
}

/** Removes every review link of a person. Feedback given through them is kept. */
export const deleteReviewLinksOfUser: Lockout = async (tx, userId) => {
  const theirs = tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.ownerId, userId));
  const gone = await tx
    .delete(reviewLinks)
    .where(inArray(reviewLinks.scheduleId, theirs))
    .returning({ id: reviewLinks.id });
  return gone.length > 0
    ? ["Every review link was removed. Create new ones for people who still review your posts."]
    : [];
};

/** The alias that `isOwnerActive` refers to. */
const owner = alias(users, "u");

/**
 * The link with its schedule, owner and expiry. The database's clock decides whether it has expired.
 * @throws NotFound if the link is unknown or removed, or its schedule is deleted, or its owner is not active
 */
export async function findReviewLink(token: string) {
  const [link] = await db
    .select({
      id: reviewLinks.id,
      scheduleId: reviewLinks.scheduleId,
      ownerId: schedules.ownerId,
      expiresAt: reviewLinks.expiresAt,
      isExpired: sql<boolean>`${reviewLinks.expiresAt} <= clock_timestamp()`,
    })
    .from(reviewLinks)
    .innerJoin(schedules, eq(schedules.id, reviewLinks.scheduleId))
    .innerJoin(owner, eq(owner.id, schedules.ownerId))
    .where(and(eq(reviewLinks.tokenHash, sha256(token)), isOwnerActive));
  if (!link) throw new NotFound("Review", "this link");
  return { ...link, expiresAt: new Date(link.expiresAt) };
}

export function presentReviewLink({ id, createdAt, expiresAt }: ReviewLink) {
  return { id, createdTime: withZulu(createdAt), endTime: withZulu(expiresAt) };
}
