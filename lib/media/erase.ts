import { eq, inArray } from "drizzle-orm";
import { db, media, mediaImports, uploads } from "../db";
import { store, uploadOf } from "../storage";
import { removeObjects } from "./keep";

const BATCH = 100;

/** Removes all media and uploads of a user who is being deleted, objects first: after a crash the rows lead to the rest. */
export async function eraseMedia(ownerId: string): Promise<undefined> {
  // Without its row a grant is worth nothing to the embedded store; what S3 still takes is cleaned up as a stray.
  const granted = await db.select({ key: uploads.key }).from(uploads).where(eq(uploads.ownerId, ownerId));
  for (const { key } of granted) await store.remove(uploadOf(key));
  await db.delete(uploads).where(eq(uploads.ownerId, ownerId));
  await db.delete(mediaImports).where(eq(mediaImports.ownerId, ownerId)); // one under way finds itself lost
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
