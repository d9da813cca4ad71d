import { and, eq, inArray } from "drizzle-orm";
import { db, media, posts, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { Conflict, NotFound } from "../errors";
import { enqueue } from "../jobs";
import { removeLeftover, removeObjects } from "./keep";
import { keyOf } from "./key";
import { usesFile } from "./used";

/** Schedules that will still need their files. */
const UNFINISHED: ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED", "IN_PROGRESS"];

/**
 * Removes a medium and its object.
 * @param name the object's name, `<object_uuid>.<ext>`
 * @throws NotFound, the same for a foreign one and for one that never was; Conflict while an unfinished schedule uses it
 */
export async function deleteMedia(ownerId: string, name: string): Promise<void> {
  const key = keyOf(ownerId, name);
  const id = await db.transaction(async (tx) => {
    // Whoever stores a schedule holds its media: either that one is seen here, or it finds this one gone.
    const [row] = await tx
      .select({ id: media.id })
      .from(media)
      .where(and(eq(media.ownerId, ownerId), eq(media.key, key)))
      .for("update");
    if (!row) throw new NotFound("Media", name);
    const user = await unfinishedUserOf(tx, ownerId, key);
    if (user) throw new Conflict(`Media ${name} is used by posting schedule ${user}, which is not finished`);
    await tx.delete(media).where(eq(media.id, row.id));
    // For when this process ends before it could.
    await enqueue(tx, removeLeftover, { id: row.id }, { at: { inSeconds: 60 } });
    return row.id;
  });
  await removeObjects(id);
}

async function unfinishedUserOf(tx: Tx, ownerId: string, key: string): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .innerJoin(publications, eq(publications.scheduleId, schedules.id))
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.status, UNFINISHED), usesFile(key)))
    .limit(1);
  return row?.id;
}
