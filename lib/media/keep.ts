import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { db, dbOrTransaction, media, mediaConversions, type Tx } from "../db";
import { QuotaExceeded } from "../errors";
import { defineJob, enqueue, removeJob } from "../jobs";
import { type Staged, stage, store } from "../storage";
import type { InspectedFile } from "./inspect";
import type { Media } from "./media";
import { extensionOf, safeFilename } from "./name";
import { assertBytesAvailable } from "./quota";

/** An object without a row is removed after this long. Storing one takes far less. */
export const ORPHAN_SECONDS = 3600;
/** The upper limit for a thumbnail. */
const MAX_THUMBNAIL_BYTES = 1_048_576;

/** Removes an object without a row, in case a process ended between writing the two. */
export const removeOrphanedObject = defineJob({
  name: "media.remove",
  payload: z.object({ id: z.uuid() }),
  async run({ id }) {
    const [row] = await dbOrTransaction.select({ id: media.id }).from(media).where(eq(media.id, id));
    const [made] = await dbOrTransaction
      .select({ id: mediaConversions.id })
      .from(mediaConversions)
      .where(eq(mediaConversions.id, id));
    if (!row && !made) await removeObjects(id);
  },
});

export const orphanJobKey = (id: string) => `media.remove:${id}`;

/** Removes all objects of a medium, including its conversions. */
export async function removeObjects(id: string): Promise<void> {
  const ofMedium = eq(mediaConversions.mediaId, id);
  const made = await dbOrTransaction.select({ id: mediaConversions.id }).from(mediaConversions).where(ofMedium);
  for (const conversion of made) await store.remove(`objects/${conversion.id}`);
  if (made.length > 0) await dbOrTransaction.delete(mediaConversions).where(ofMedium);
  await Promise.all([store.remove(`objects/${id}`), store.remove(`thumbnails/${id}`)]);
}

/** Another medium was stored under the same key in the meantime. */
export class KeyTaken extends Error {}

export type KeepOptions = {
  filename: string;
  /** Absent: a new key with the extension of the file name. */
  key?: string;
  /** Stores more in the transaction that stores the medium. If this throws, the medium does not exist. */
  also?(tx: Tx, item: Media): Promise<void>;
};

/**
 * Stores an inspected file as one of the owner's media. The object is written once, under an ID of its own.
 * @throws KeyTaken, QuotaExceeded, and whatever `also` throws. The medium does not exist then
 */
export async function keepMedia(
  ownerId: string,
  file: Staged,
  look: InspectedFile,
  keeping: KeepOptions,
): Promise<Media> {
  const id = randomUUID();
  const digest = await file.digest; // computed from the staged file, so it must come before the file is moved
  const { thumbnail, ...known } = look;
  const filename = safeFilename(keeping.filename);
  const key = keeping.key ?? `${ownerId}/${id}.${extensionOf(filename)}`;
  // If this process ends before the row exists, this job finds the object.
  // It is enqueued outside the shared transaction, so that it survives a rollback.
  await enqueue(db, removeOrphanedObject, { id }, { at: { inSeconds: ORPHAN_SECONDS }, key: orphanJobKey(id) });
  await store.put(`objects/${id}`, file, look.contentType);
  if (thumbnail) {
    const small = await stage(Readable.from([thumbnail]), MAX_THUMBNAIL_BYTES);
    await store.put(`thumbnails/${id}`, small, "image/webp");
  }
  const keeps = dbOrTransaction.transaction(async (tx) => {
    const { sizeBytes } = file;
    await assertBytesAvailable(tx, ownerId, sizeBytes, keeping.key);
    const [row] = await tx
      .insert(media)
      .values({ id, ownerId, key, filename, sizeBytes, digest, ...known })
      .onConflictDoNothing({ target: media.key })
      .returning();
    if (!row) throw new KeyTaken(`a medium with the key ${key} exists already`);
    await keeping.also?.(tx, row);
    await removeJob(tx, orphanJobKey(id));
    return row;
  });
  return keeps.catch(async (error) => {
    // At once, because an owner without space could fill the disk within the hour. After other errors, the row may exist.
    if (error instanceof QuotaExceeded) await removeObjects(id);
    throw error;
  });
}
