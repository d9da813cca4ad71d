import { and, asc, eq } from "drizzle-orm";
import { dbOrTransaction, reviewLinks } from "../db";
import { env } from "../env";
import { Conflict, NotFound } from "../errors";
import { getSchedule } from "../schedules";
import { randomToken, sha256 } from "../secrets";
import { lockSchedule } from "./schedule-row";

export type ReviewLink = Pick<typeof reviewLinks.$inferSelect, "id" | "createdAt" | "expiresAt">;

/** Links that have ended count until they are removed: whoever opens one is told that it has. */
const MOST = 50;
const DAY_MS = 86_400_000;

const columns = { id: reviewLinks.id, createdAt: reviewLinks.createdAt, expiresAt: reviewLinks.expiresAt };

/**
 * An address that shows a schedule's preview to whoever has it, without an account, and takes what they think of it. It is
 * told this once: what it carries is kept as its hash, and stands in the query, which no log holds.
 * @throws NotFound; Conflict where the schedule has as many as it can have
 */
export async function createReviewLink(
  ownerId: string,
  scheduleId: number,
  days: number,
  now = new Date(),
): Promise<ReviewLink & { url: string }> {
  const token = randomToken();
  return dbOrTransaction.transaction(async (tx) => {
    await lockSchedule(tx, scheduleId, ownerId);
    if ((await tx.$count(reviewLinks, eq(reviewLinks.scheduleId, scheduleId))) >= MOST) {
      throw new Conflict(`Posting schedule ${scheduleId} has ${MOST} review links already; remove one first`);
    }
    const expiresAt = new Date(now.getTime() + days * DAY_MS).toISOString();
    const [link] = await tx
      .insert(reviewLinks)
      .values({ scheduleId, tokenHash: sha256(token), expiresAt })
      .returning(columns);
    if (!link) throw new Error("the link was not stored");
    return { ...link, url: `${env.appUrl}/reviews?${new URLSearchParams({ link: token })}` };
  });
}

/**
 * The oldest first, with those that have ended.
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
 * From this moment the link shows nothing; what was said by it stays.
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
