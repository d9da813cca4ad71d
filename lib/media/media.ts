import { and, eq, inArray } from "drizzle-orm";
import { db, media } from "../db";
import { readObject } from "../storage";

export type Media = typeof media.$inferSelect;

export const isVideo = (item: Pick<Media, "contentType">) => item.contentType.startsWith("video/");

/** The owner's media among these keys, by key; a foreign key is as absent as an unknown one. */
export async function mediaOf(ownerId: string, keys: string[]): Promise<Map<string, Media>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select()
    .from(media)
    .where(and(eq(media.ownerId, ownerId), inArray(media.key, keys)));
  return new Map(rows.map((row) => [row.key, row]));
}

/** The stored bytes of a medium, or a range of them. */
export async function openMedia(
  item: Media,
  range?: { first: number; last: number },
): Promise<ReadableStream<Uint8Array>> {
  const object = await readObject(item.id, range);
  if (!object) throw new Error(`the object of media ${item.id} is missing from the store`);
  return object.stream();
}
