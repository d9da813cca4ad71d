import { eq, inArray } from "drizzle-orm";
import { db, media } from "../db";
import { removeObject } from "../storage";

const BATCH = 100;

/** Removes all media of a user who is being deleted, objects first: what is left after a crash is found by its row. */
export async function eraseMedia(ownerId: string): Promise<undefined> {
  for (;;) {
    const rows = await db.select({ id: media.id }).from(media).where(eq(media.ownerId, ownerId)).limit(BATCH);
    if (rows.length === 0) return undefined;
    for (const { id } of rows) await removeObject(id);
    await db.delete(media).where(
      inArray(
        media.id,
        rows.map(({ id }) => id),
      ),
    );
  }
}
