import { and, eq, inArray } from "drizzle-orm";
import { db, media, type Tx } from "../db";
import { type ByteRange, store } from "../storage";

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

/** Keeps these media from being removed until the transaction ends; false where one of them is gone already. */
export async function holdMedia(tx: Tx, ownerId: string, keys: string[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const rows = await tx
    .select({ key: media.key })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), inArray(media.key, keys)))
    .orderBy(media.key)
    .for("share");
  return rows.length === new Set(keys).size;
}

/** The stored bytes of a medium, or a range of them. */
export async function openMedia(item: Media, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
  const object = await store.read(`objects/${item.id}`, range);
  if (!object) throw new Error(`the object of media ${item.id} is missing from the store`);
  return object.stream();
}
