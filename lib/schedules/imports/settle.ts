import { eq, sql } from "drizzle-orm";
import { accounts, db, posts, publications, type ScheduleStatus, schedules, type Tx } from "../../db";
import { problemSentence } from "../../errors";
import { defineJob } from "../../jobs";
import { lockMedia, mediaByKeys } from "../../media";
import { networkOf } from "../../networks";
import { emit } from "../../webhooks";
import { usedMediaKeys } from "../check/facts";
import { formatProblems } from "../check/publication";
import { scheduleEvent } from "../events";
import { notifyDue } from "../publish/claim";
import { getSchedule, type Schedule } from "../read";
import { importsJob, setAttachment } from "./attach";
import { type ImportLink, readImportLinks } from "./links";

const WAITING: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"];

/** The reasons why posts cannot be published with the imported files, by post id. */
type ReasonsByPost = Map<number, string>;
type WaitingSchedule = Pick<Schedule, "id" | "ownerId" | "status">;

export const settleImports = defineJob({
  ...importsJob,
  run: ({ scheduleId }) => settle(scheduleId),
});

/**
 * Applies finished imports to their schedule. A storage key replaces its URL. When all files have arrived, the schedule is
 * scheduled, or it fails with the reason. The schedule's row is locked, so imports that end at the same time are applied one
 * after the other.
 */
async function settle(scheduleId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [schedule] = await tx.select().from(schedules).where(eq(schedules.id, scheduleId)).for("update");
    if (!schedule || !WAITING.includes(schedule.status)) return;
    const links = await readImportLinks(tx, [scheduleId]);
    const reasons = await applyImportedKeys(tx, schedule.ownerId, links);
    if (reasons.size > 0) return failSchedule(tx, schedule, reasons);
    const isWaiting = links.some(({ state }) => state !== "READY");
    if (isWaiting || schedule.status !== "AWAITING_MEDIA") return;
    const arrived = await getSchedule(schedule.ownerId, scheduleId, tx);
    const problems = await problemsByPost(tx, arrived);
    await (problems.size > 0 ? failSchedule(tx, schedule, problems) : resumeSchedule(tx, arrived));
  });
}

/** Replaces the URL of each imported file by its storage key. Returns the reasons of the failed imports. */
async function applyImportedKeys(tx: Tx, ownerId: string, links: ImportLink[]): Promise<ReasonsByPost> {
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
    if (await lockMedia(tx, ownerId, [key])) await setAttachment(tx, { postId, position }, key);
    else add(postId, position, "The imported file was deleted before it was used");
  }
  return reasons;
}

/** Stores the reasons. A draft stays a draft and can still be changed. */
async function failSchedule(tx: Tx, { id, ownerId, status }: WaitingSchedule, reasons: ReasonsByPost): Promise<void> {
  for (const [postId, error] of reasons) await tx.update(posts).set({ error }).where(eq(posts.id, postId));
  if (status !== "AWAITING_MEDIA") return;
  await tx.update(schedules).set({ status: "MEDIA_IMPORT_FAILED", updatedAt: sql`now()` }).where(eq(schedules.id, id));
  await emit(tx, scheduleEvent(await getSchedule(ownerId, id, tx)));
}

/** The rules of the networks that needed the media. */
async function problemsByPost(tx: Tx, schedule: Schedule): Promise<ReasonsByPost> {
  const reasons = new Map<number, string>();
  const keys = usedMediaKeys(schedule.publications.flatMap((part) => part.posts));
  const media = await mediaByKeys(schedule.ownerId, keys);
  for (const { accountId, settings: stored, posts: parts } of schedule.publications) {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId));
    if (!account) continue; // publishing says that it is gone
    const network = networkOf(account.platform);
    const { type: _, ...settings } = stored;
    for (const [index, part] of parts.entries()) {
      const post = { ...part, isReply: index > 0 && network.posts?.chain === "reply" };
      const attached = post.attachmentPaths.map((key) => media.get(key));
      const cover = post.thumbnailPath ? media.get(post.thumbnailPath) : undefined;
      const problems = formatProblems(network, settings, post, attached, cover, account.textMax).filter(
        ({ severity }) => severity !== "warning",
      );
      const sentences = problems.map(({ at, ...problem }) => `${problemSentence({ ...problem, path: at })}.`);
      if (sentences.length > 0) reasons.set(post.id, sentences.join(" "));
    }
  }
  return reasons;
}

/** All files have arrived: the publications become due at their time, or at once if it has passed. */
async function resumeSchedule(tx: Tx, { id, ownerId, scheduledTime }: Schedule): Promise<void> {
  await tx.update(schedules).set({ status: "SCHEDULED", updatedAt: sql`now()` }).where(eq(schedules.id, id));
  await tx
    .update(publications)
    .set({ status: "PENDING", dueAt: scheduledTime ?? sql`now()` })
    .where(eq(publications.scheduleId, id));
  await emit(tx, scheduleEvent(await getSchedule(ownerId, id, tx)));
  await notifyDue(tx);
}
