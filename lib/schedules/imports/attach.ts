import { asc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import {
  attachmentImports,
  mediaImports,
  posts,
  publications,
  type ScheduleStatus,
  schedules,
  type Tx,
} from "../../db";
import { isWebUrl } from "../../http/outside-url";
import { type JobKind, refTo } from "../../jobs";
import { startImport, withdrawImports } from "../../media";
import type { Publishable } from "../check/publication";
import type { ShownSchedule } from "../present";

/** An import that a schedule waits for has come to its end: what becomes of the schedule, its rows decide. */
export const importsMoved = {
  name: "schedule.imports",
  payload: z.object({ scheduleId: z.number().int() }),
} satisfies JobKind;

/** An attachment that was given as a public URL, with how its import and its post stand. */
export type ImportLink = Awaited<ReturnType<typeof linksOf>>[number];

const MAY_WAIT: ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"];
const ENDED: readonly ImportLink["state"][] = ["READY", "FAILED_PERMANENT"];

/** Every attachment of these schedules that was given as a URL, in the order in which they stand there. */
export function linksOf(tx: Tx, scheduleIds: number[]) {
  return tx
    .select({
      scheduleId: publications.scheduleId,
      postId: attachmentImports.postId,
      position: attachmentImports.position,
      sourceUrl: attachmentImports.sourceUrl,
      importId: attachmentImports.importId,
      state: mediaImports.state,
      key: mediaImports.key,
      errorMessage: mediaImports.errorMessage,
      error: posts.error,
    })
    .from(attachmentImports)
    .innerJoin(mediaImports, eq(mediaImports.id, attachmentImports.importId))
    .innerJoin(posts, eq(posts.id, attachmentImports.postId))
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(inArray(publications.scheduleId, scheduleIds))
    .orderBy(asc(publications.position), asc(posts.position), asc(attachmentImports.position));
}

/** The imports under way for these schedules (SPEC, "Pending import entry"); asks only where there may be some. */
export async function pendingImportsOf(
  schedules: { id: number; status: ScheduleStatus }[],
  tx: Tx,
): Promise<ImportLink[]> {
  const ids = schedules.filter(({ status }) => MAY_WAIT.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return [];
  return (await linksOf(tx, ids)).filter(({ state }) => !ENDED.includes(state));
}

type Owned = { ownerId: string; scheduleId: number };

/** Whether any attachment is a public URL that has to be imported first. */
export function awaitsMedia(publications: { posts: { attachmentPaths: string[] }[] }[]): boolean {
  return publications.some(({ posts }) => posts.some(({ attachmentPaths }) => attachmentPaths.some(isWebUrl)));
}

/** SPEC, "States": a new schedule's. */
export function firstStatus(isDraft: boolean, publishable: Publishable[]): ScheduleStatus {
  if (isDraft) return "DRAFT";
  return awaitsMedia(publishable) ? "AWAITING_MEDIA" : "SCHEDULED";
}

/** A schedule that was just stored, with an import under way for each of its public URLs. */
export async function withImports(tx: Tx, ownerId: string, schedule: ShownSchedule): Promise<ShownSchedule> {
  if (!awaitsMedia(schedule.publications)) return schedule;
  await startImports(tx, { ownerId, scheduleId: schedule.id });
  return { ...schedule, pendingImports: await pendingImportsOf([schedule], tx) };
}

/** Starts an import for each public URL among a stored schedule's attachments; one that stands there twice is fetched once. */
async function startImports(tx: Tx, { ownerId, scheduleId }: Owned): Promise<void> {
  const stored = await tx
    .select({ postId: posts.id, attachmentPaths: posts.attachmentPaths })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(eq(publications.scheduleId, scheduleId))
    .orderBy(asc(publications.position), asc(posts.position));
  const wanted = stored.flatMap(({ postId, attachmentPaths }) =>
    attachmentPaths.flatMap((sourceUrl, position) => (isWebUrl(sourceUrl) ? [{ postId, position, sourceUrl }] : [])),
  );
  const importOf = await startEach(tx, { ownerId, scheduleId }, wanted);
  await tx
    .insert(attachmentImports)
    .values(wanted.map((link) => ({ ...link, importId: importOf.get(link.sourceUrl) ?? 0 })));
}

async function startEach(
  tx: Tx,
  { ownerId, scheduleId }: Owned,
  wanted: { sourceUrl: string }[],
): Promise<Map<string, number>> {
  const started = new Map<string, number>();
  for (const url of new Set(wanted.map(({ sourceUrl }) => sourceUrl))) {
    const { id } = await startImport(tx, ownerId, { url, whenDone: refTo(importsMoved, { scheduleId }) });
    started.set(url, id);
  }
  return started;
}

/** Takes back what schedules still wait for; files that have arrived stay in the media library. */
export async function withdrawImportsOf(tx: Tx, scheduleIds: number[]): Promise<void> {
  const links = await linksOf(tx, scheduleIds);
  await withdrawImports(
    tx,
    links.map(({ importId }) => importId),
  );
}

/**
 * Imports again what has failed; of a post whose files have all arrived but are not what its network takes, all of them. The
 * schedule, locked by the caller, waits for its media again.
 */
export async function restartImports(tx: Tx, { ownerId, scheduleId }: Owned): Promise<void> {
  const links = await linksOf(tx, [scheduleId]);
  const failed = links.filter(({ state }) => state === "FAILED_PERMANENT");
  const partly = new Set(failed.map(({ postId }) => postId));
  const refused = links.filter(({ postId, error }) => error !== null && !partly.has(postId));
  const again = [...failed, ...refused];
  const importOf = await startEach(tx, { ownerId, scheduleId }, again);
  for (const { postId, position, sourceUrl } of again) {
    await tx
      .update(attachmentImports)
      .set({ importId: importOf.get(sourceUrl) ?? 0 })
      .where(sql`${attachmentImports.postId} = ${postId} and ${attachmentImports.position} = ${position}`);
    await putAttachment(tx, { postId, position }, sourceUrl);
  }
  const ids = [...new Set(links.map(({ postId }) => postId))];
  await tx.update(posts).set({ error: null }).where(inArray(posts.id, ids));
  await tx.update(publications).set({ retriedAt: sql`now()` }).where(eq(publications.scheduleId, scheduleId));
  await tx
    .update(schedules)
    .set({ status: "AWAITING_MEDIA", updatedAt: sql`now()` })
    .where(eq(schedules.id, scheduleId));
}

/** Puts a storage key, or a URL again, in an attachment's place. */
export async function putAttachment(
  tx: Tx,
  { postId, position }: { postId: number; position: number },
  path: string,
): Promise<void> {
  await tx.execute(sql`update posts set attachment_paths[${position + 1}::int] = ${path} where id = ${postId}`);
}
