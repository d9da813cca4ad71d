import { and, eq, inArray } from "drizzle-orm";
import { db, media, mediaImports, posts, publications, type ScheduleStatus, schedules, type Tx, uploads } from "../db";
import { Conflict, NotFound } from "../errors";
import { enqueue } from "../jobs";
import { store, uploadOf } from "../storage";
import { discardDownloadsOfGoneImports } from "./imports";
import { removeObjects, removeOrphanedObject } from "./keep";
import { usesFile } from "./media";
import { mediaKey } from "./name";

const BATCH = 100;

/**
 * Deletes all media and uploads of a user who is being deleted. Objects go first, so that the rows lead to the rest after a
 * crash.
 */
export async function eraseMedia(ownerId: string): Promise<undefined> {
  // The embedded store accepts no upload without a grant's row. What S3 still accepts is later removed as a stray upload.
  const granted = await db.select({ key: uploads.key }).from(uploads).where(eq(uploads.ownerId, ownerId));
  for (const { key } of granted) await store.remove(uploadOf(key));
  await db.delete(uploads).where(eq(uploads.ownerId, ownerId));
  await db.delete(mediaImports).where(eq(mediaImports.ownerId, ownerId)); // a running import then loses its claim
  await discardDownloadsOfGoneImports(); // other machines do this within ten minutes
  for (;;) {
    const rows = await db.select({ id: media.id }).from(media).where(eq(media.ownerId, ownerId)).limit(BATCH);
    if (rows.length === 0) return undefined;
    for (const { id } of rows) await removeObjects(id);
    await db.delete(media).where(
      inArray(
        media.id,
        rows.map(({ id }) => id),
      ),
    );
  }
}

/** Schedules that still need their files. */
const UNFINISHED: ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED", "IN_PROGRESS"];

/**
 * Deletes a medium and its object.
 * @param name the object's name, `<object_uuid>.<ext>`
 * @throws NotFound, whether it is missing or belongs to someone else; Conflict while an unfinished schedule uses it
 */
export async function deleteMedia(ownerId: string, name: string): Promise<void> {
  const key = mediaKey(ownerId, name);
  const id = await db.transaction(async (tx) => {
    // Storing a schedule locks its media. So either that schedule is visible here, or it finds this medium gone.
    const [row] = await tx
      .select({ id: media.id })
      .from(media)
      .where(and(eq(media.ownerId, ownerId), eq(media.key, key)))
      .for("update");
    if (!row) throw new NotFound("Media", name);
    const user = await unfinishedScheduleUsing(tx, ownerId, key);
    if (user) throw new Conflict(`Media ${name} is used by post ${user}, which is not finished`);
    await tx.delete(media).where(eq(media.id, row.id));
    // In case this process ends before it has deleted the object.
    await enqueue(tx, removeOrphanedObject, { id: row.id }, { at: { inSeconds: 60 } });
    return row.id;
  });
  await removeObjects(id);
}

async function unfinishedScheduleUsing(tx: Tx, ownerId: string, key: string): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .innerJoin(publications, eq(publications.scheduleId, schedules.id))
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.status, UNFINISHED), usesFile(key)))
    .limit(1);
  return row?.id;
}
