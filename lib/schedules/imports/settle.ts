import { eq, sql } from "drizzle-orm";
import { accounts, db, posts, publications, type ScheduleStatus, schedules, type Tx } from "../../db";
import { defineJob } from "../../jobs";
import { holdMedia, mediaOf } from "../../media";
import { networkOf } from "../../networks";
import { emit } from "../../webhooks";
import { mediaKeys } from "../check/facts";
import { formatBreaches } from "../check/publication";
import { scheduleEvent } from "../events";
import { announceDue } from "../publish/claim";
import { getSchedule, type Schedule } from "../read";
import { type ImportLink, importsMoved, linksOf, putAttachment } from "./attach";

const WAITING: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"];

/** Why posts cannot be published with what was imported, by post id. */
type Reasons = Map<number, string>;
type Waiting = Pick<Schedule, "id" | "ownerId" | "status">;

export const settleImports = defineJob({
  ...importsMoved,
  run: ({ scheduleId }) => settle(scheduleId),
});

/**
 * What imports that have come to their end mean for their schedule: a key takes its URL's place, and when all have arrived
 * the schedule goes on, or fails with the reason. The schedule's row is locked, so of several that end at one instant each
 * sees those before it.
 */
async function settle(scheduleId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [schedule] = await tx.select().from(schedules).where(eq(schedules.id, scheduleId)).for("update");
    if (!schedule || !WAITING.includes(schedule.status)) return;
    const links = await linksOf(tx, [scheduleId]);
    const reasons = await takeKeys(tx, schedule.ownerId, links);
    if (reasons.size > 0) return fail(tx, schedule, reasons);
    const isWaiting = links.some(({ state }) => state !== "READY");
    if (isWaiting || schedule.status !== "AWAITING_MEDIA") return;
    const arrived = await getSchedule(schedule.ownerId, scheduleId, tx);
    const breaches = await breachesOf(tx, arrived);
    await (breaches.size > 0 ? fail(tx, schedule, breaches) : goOn(tx, arrived));
  });
}

/** Puts each arrived file's key in its URL's place; answers what has failed. */
async function takeKeys(tx: Tx, ownerId: string, links: ImportLink[]): Promise<Reasons> {
  const reasons = new Map<number, string>();
  const add = (postId: number, position: number, why: string) => {
    const before = reasons.get(postId);
    reasons.set(
      postId,
      `${before ? `${before} ` : ""}attachmentPaths[${position}]: ${why}${/[.!?]$/.test(why) ? "" : "."}`,
    );
  };
  for (const { postId, position, state, key, errorMessage } of links) {
    if (state === "FAILED_PERMANENT") add(postId, position, errorMessage ?? "The import failed");
    if (state !== "READY" || key === null) continue;
    if (await holdMedia(tx, ownerId, [key])) await putAttachment(tx, { postId, position }, key);
    else add(postId, position, "The imported file was deleted before it was used");
  }
  return reasons;
}

/** A draft stays one: its reasons are shown, and it can be changed. */
async function fail(tx: Tx, { id, ownerId, status }: Waiting, reasons: Reasons): Promise<void> {
  for (const [postId, error] of reasons) await tx.update(posts).set({ error }).where(eq(posts.id, postId));
  if (status !== "AWAITING_MEDIA") return;
  await tx.update(schedules).set({ status: "MEDIA_IMPORT_FAILED", updatedAt: sql`now()` }).where(eq(schedules.id, id));
  await emit(tx, scheduleEvent(await getSchedule(ownerId, id, tx)));
}

/** The rules of the networks that needed the media. */
async function breachesOf(tx: Tx, schedule: Schedule): Promise<Reasons> {
  const reasons = new Map<number, string>();
  const keys = mediaKeys(schedule.publications.flatMap((part) => part.posts));
  const media = await mediaOf(schedule.ownerId, keys);
  for (const { accountId, settings: stored, posts: parts } of schedule.publications) {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId));
    if (!account) continue; // publishing says that it is gone
    const network = networkOf(account.platform);
    const { type: _, ...settings } = stored;
    for (const post of parts) {
      const attached = post.attachmentPaths.map((key) => media.get(key));
      const cover = post.thumbnailPath ? media.get(post.thumbnailPath) : undefined;
      const breaches = formatBreaches(network, settings, post, attached, cover).filter(
        ({ severity }) => severity !== "warning",
      );
      if (breaches.length > 0) reasons.set(post.id, breaches.map(({ message }) => `${message}.`).join(" "));
    }
  }
  return reasons;
}

/** Everything is there: the publications are due at their time, or at once where that has passed meanwhile. */
async function goOn(tx: Tx, { id, ownerId, scheduledTime }: Schedule): Promise<void> {
  await tx.update(schedules).set({ status: "SCHEDULED", updatedAt: sql`now()` }).where(eq(schedules.id, id));
  await tx
    .update(publications)
    .set({ status: "PENDING", dueAt: scheduledTime ?? sql`now()` })
    .where(eq(publications.scheduleId, id));
  await emit(tx, scheduleEvent(await getSchedule(ownerId, id, tx)));
  await announceDue(tx);
}
