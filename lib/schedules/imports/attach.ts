import { asc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { attachmentImports, posts, publications, schedules, type Tx } from "../../db";
import { isWebUrl } from "../../http/outside-url";
import { type JobKind, jobRef } from "../../jobs";
import { startImport, withdrawImports } from "../../media";
import type { ShownSchedule } from "../present";
import { pendingImportsOf, readImportLinks } from "./links";

/** Queued when an import of a schedule ends; `settle.ts` runs it. */
export const importsJob = {
  name: "schedule.imports",
  payload: z.object({ scheduleId: z.number().int() }),
} satisfies JobKind;

type ScheduleRef = { ownerId: string; scheduleId: number };

/** Starts the imports of a stored schedule that has public URLs. Returns the schedule with its pending imports. */
export async function importAttachments(tx: Tx, ownerId: string, schedule: ShownSchedule): Promise<ShownSchedule> {
  await startImports(tx, { ownerId, scheduleId: schedule.id });
  return { ...schedule, pendingImports: await pendingImportsOf([schedule], tx) };
}

/** Starts an import for each public URL among the attachments. A URL that occurs twice is fetched once. */
async function startImports(tx: Tx, { ownerId, scheduleId }: ScheduleRef): Promise<void> {
  const stored = await tx
    .select({ postId: posts.id, attachmentPaths: posts.attachmentPaths })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(eq(publications.scheduleId, scheduleId))
    .orderBy(asc(publications.position), asc(posts.position));
  const wanted = stored.flatMap(({ postId, attachmentPaths }) =>
    attachmentPaths.flatMap((sourceUrl, position) => (isWebUrl(sourceUrl) ? [{ postId, position, sourceUrl }] : [])),
  );
  const importOf = await startImportPerUrl(tx, { ownerId, scheduleId }, wanted);
  await tx
    .insert(attachmentImports)
    .values(wanted.map((link) => ({ ...link, importId: importOf.get(link.sourceUrl) ?? 0 })));
}

async function startImportPerUrl(
  tx: Tx,
  { ownerId, scheduleId }: ScheduleRef,
  wanted: { sourceUrl: string }[],
): Promise<Map<string, number>> {
  const started = new Map<string, number>();
  for (const url of new Set(wanted.map(({ sourceUrl }) => sourceUrl))) {
    const { id } = await startImport(tx, ownerId, { url, whenDone: jobRef(importsJob, { scheduleId }) });
    started.set(url, id);
  }
  return started;
}

/** Cancels the unfinished imports of schedules. Imported files stay in the media library. */
export async function cancelImports(tx: Tx, scheduleIds: number[]): Promise<void> {
  const links = await readImportLinks(tx, scheduleIds);
  await withdrawImports(
    tx,
    links.map(({ importId }) => importId),
  );
}

/**
 * Repeats the failed imports. If all files of a post arrived but its network does not accept them, all of them are imported
 * again. The schedule, which the caller has locked, waits for its media again.
 */
export async function restartImports(tx: Tx, { ownerId, scheduleId }: ScheduleRef): Promise<void> {
  const links = await readImportLinks(tx, [scheduleId]);
  const failed = links.filter(({ state }) => state === "FAILED_PERMANENT");
  const partly = new Set(failed.map(({ postId }) => postId));
  const refused = links.filter(({ postId, error }) => error !== null && !partly.has(postId));
  const again = [...failed, ...refused];
  const importOf = await startImportPerUrl(tx, { ownerId, scheduleId }, again);
  for (const { postId, position, sourceUrl } of again) {
    await tx
      .update(attachmentImports)
      .set({ importId: importOf.get(sourceUrl) ?? 0 })
      .where(sql`${attachmentImports.postId} = ${postId} and ${attachmentImports.position} = ${position}`);
    await setAttachment(tx, { postId, position }, sourceUrl);
  }
  const ids = [...new Set(links.map(({ postId }) => postId))];
  await tx.update(posts).set({ error: null }).where(inArray(posts.id, ids));
  await tx.update(publications).set({ retriedAt: sql`now()` }).where(eq(publications.scheduleId, scheduleId));
  await tx
    .update(schedules)
    .set({ status: "AWAITING_MEDIA", updatedAt: sql`now()` })
    .where(eq(schedules.id, scheduleId));
}

/** Sets an attachment of a post to a storage key or a URL. */
export async function setAttachment(
  tx: Tx,
  { postId, position }: { postId: number; position: number },
  path: string,
): Promise<void> {
  await tx.execute(sql`update posts set attachment_paths[${position + 1}::int] = ${path} where id = ${postId}`);
}
