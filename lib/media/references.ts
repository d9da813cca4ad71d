import { eq, sql } from "drizzle-orm";
import { db, media, mediaConversions } from "../db";
import type { ObjectName } from "../storage";

/** An object that the database refers to. */
export type ObjectReference = {
  name: ObjectName;
  /** Unknown for thumbnails. */
  sizeBytes?: number;
  /** BLAKE2b-512 in hexadecimal. Known for media only. */
  digest?: string;
  contentType: string;
};

/**
 * The query for all of them, in the order of their names. Uploads that were neither confirmed nor used are not included: they end
 * within a day, and their owner can send them again.
 */
export const objectReferences = {
  columns: ["name", "size_bytes", "digest", "content_type"],
  query: `select * from (
      select 'objects/' || id as name, size_bytes, encode(digest, 'hex') as digest, content_type from media
      union all select 'objects/' || id, size_bytes, null, content_type from media_conversions
      union all select 'thumbnails/' || id, null, null, 'image/webp' from media where (details ->> 'hasThumbnail')::boolean
    ) as referenced order by name collate "C"`,
};

/** Whether the database refers to this object now. */
export async function isReferenced(name: ObjectName): Promise<boolean> {
  const [area, id = ""] = name.split("/");
  const [row] = await db.select({ details: media.details }).from(media).where(eq(media.id, id));
  if (area === "thumbnails") return row?.details.hasThumbnail === true;
  if (row) return true;
  const made = await db.select({ one: sql`1` }).from(mediaConversions).where(eq(mediaConversions.id, id));
  return made.length > 0;
}
