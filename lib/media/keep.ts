import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { db, dbOrTransaction, media, mediaConversions, type Tx } from "../db";
import { defineJob, enqueue, removeJob } from "../jobs";
import { type Staged, stage, store } from "../storage";
import type { InspectedFile } from "./inspect";
import type { Media } from "./media";
import { extensionOf, safeFilename } from "./name";

/** An object whose row never came, or went, is removed after this long; whoever keeps one takes far less. */
export const ORPHAN_SECONDS = 3600;
/** No thumbnail is larger. */
const MAX_THUMBNAIL_BYTES = 1_048_576;

/** Removes an object without a row: for when a process ended between the two, or before it could. */
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

/** Removes everything that is kept of a medium, what it was converted to included. */
export async function removeObjects(id: string): Promise<void> {
  const ofMedium = eq(mediaConversions.mediaId, id);
  const made = await dbOrTransaction.select({ id: mediaConversions.id }).from(mediaConversions).where(ofMedium);
  for (const conversion of made) await store.remove(`objects/${conversion.id}`);
  if (made.length > 0) await dbOrTransaction.delete(mediaConversions).where(ofMedium);
  await Promise.all([store.remove(`objects/${id}`), store.remove(`thumbnails/${id}`)]);
}

/** Another medium was kept under the same key meanwhile. */
export class KeyTaken extends Error {}

export type KeepOptions = {
  filename: string;
  /** Absent: a new key with the name's extension. */
  key?: string;
  /** What is stored in the transaction that stores the medium; the medium does not exist where this throws. */
  also?(tx: Tx, item: Media): Promise<void>;
};

/**
 * Makes a file that was looked at one of the owner's media. The object is written once, under an id that is only its own.
 * @throws KeyTaken; what `also` throws. The medium does not exist then
 */
export async function keepMedia(
  ownerId: string,
  file: Staged,
  look: InspectedFile,
  keeping: KeepOptions,
): Promise<Media> {
  const id = randomUUID();
  const digest = await file.digest; // read from where the file lies until it is put elsewhere
  const { thumbnail, ...known } = look;
  const filename = safeFilename(keeping.filename);
  const key = keeping.key ?? `${ownerId}/${id}.${extensionOf(filename)}`;
  // Should this process end in between, the object is found by this job and not by its row.
  // It is enqueued outside the shared transaction, so that it survives a rollback.
  await enqueue(db, removeOrphanedObject, { id }, { at: { inSeconds: ORPHAN_SECONDS }, key: orphanJobKey(id) });
  await store.put(`objects/${id}`, file, look.contentType);
  if (thumbnail) {
    const small = await stage(Readable.from([thumbnail]), MAX_THUMBNAIL_BYTES);
    await store.put(`thumbnails/${id}`, small, "image/webp");
  }
  return dbOrTransaction.transaction(async (tx) => {
    const { sizeBytes } = file;
    const [row] = await tx
      .insert(media)
      .values({ id, ownerId, key, filename, sizeBytes, digest, ...known })
      .onConflictDoNothing({ target: media.key })
      .returning();
    if (!row) throw new KeyTaken(`there is a medium of the key ${key} already`);
    await keeping.also?.(tx, row);
    await removeJob(tx, orphanJobKey(id));
    return row;
  });
}
