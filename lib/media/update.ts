import { and, eq } from "drizzle-orm";
import { db, media } from "../db";
import { NotFound } from "../errors";
import { keyOf } from "./key";
import type { Media } from "./media";

/**
 * Sets what a medium shows, in words; null, and what has none but white space, takes the words away.
 * @param name the object's name, `<object_uuid>.<ext>`
 * @throws NotFound, the same for a foreign one and for one that never was
 */
export async function updateMedia(ownerId: string, name: string, altText: string | null): Promise<Media> {
  const [item] = await db
    .update(media)
    .set({ altText: altText?.trim() || null })
    .where(and(eq(media.ownerId, ownerId), eq(media.key, keyOf(ownerId, name))))
    .returning();
  if (!item) throw new NotFound("Media", name);
  return item;
}
