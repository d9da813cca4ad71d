import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { db, media, posts, type Tx } from "../db";
import { NotFound } from "../errors";
import { type ByteRange, store } from "../storage";
import { mediaKey, mediaKeys } from "./name";

export type Media = typeof media.$inferSelect;

export const isVideoMedia = (item: Pick<Media, "contentType">) => item.contentType.startsWith("video/");

/** Returns the owner's media with these keys, by key. Unknown keys and other owners' keys are absent. */
export async function mediaByKeys(ownerId: string, keys: string[]): Promise<Map<string, Media>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select()
    .from(media)
    .where(and(eq(media.ownerId, ownerId), inArray(media.key, keys)));
  return new Map(rows.map((row) => [row.key, row]));
}

/** Locks these media against deletion until the transaction ends. Returns false if one of them is gone. */
export async function lockMedia(tx: Tx, ownerId: string, keys: string[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const rows = await tx
    .select({ key: media.key })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), inArray(media.key, keys)))
    .orderBy(media.key)
    .for("share");
  return rows.length === new Set(keys).size;
}

/** Opens the bytes of a medium, or a range of them. */
export async function openMedia(item: Media, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
  const object = await store.read(`objects/${item.id}`, range);
  if (!object) throw new Error(`the object of media ${item.id} is missing from the store`);
  return object.stream();
}

/** SQL: whether a row of `posts` uses this storage key as an attachment or as its cover. Served by an index. */
export function usesFile(key: string): SQL {
  const named = sql`${posts.attachmentPaths} <> '{}' or ${posts.thumbnailPath} is not null`;
  const hashed = sql`file_hashes(${posts.attachmentPaths}, ${posts.thumbnailPath}) @> array[hashtextextended(${key}, 0)]`;
  return sql`(${named}) and ${hashed} and (${posts.attachmentPaths} @> array[${key}]::text[] or ${posts.thumbnailPath} = ${key})`;
}

/**
 * Returns one of the owner's media by its object's name.
 * @throws NotFound, whether it is missing or belongs to someone else
 */
export async function getMedia(ownerId: string, name: string): Promise<Media> {
  const key = mediaKey(ownerId, name);
  const item = (await mediaByKeys(ownerId, [key])).get(key);
  if (!item) throw new NotFound("Media", name);
  return item;
}

type Place = [createdAt: string, id: string];

/**
 * Lists the owner's media, newest first. `next` is the position to continue after; absent on the last page.
 * @param names only the media with these objects' names, `<object_uuid>.<ext>`; unknown names are left out
 */
export async function listMedia(
  ownerId: string,
  { limit, after, names }: { limit: number; after?: Place; names?: string[] },
): Promise<{ items: Media[]; next?: Place }> {
  const beyond = after && sql`(${media.createdAt}, ${media.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const keys = names && mediaKeys(ownerId, names);
  const rows = await db
    .select()
    .from(media)
    .where(and(eq(media.ownerId, ownerId), keys && inArray(media.key, keys), beyond))
    .orderBy(desc(media.createdAt), desc(media.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? [last.createdAt, last.id] : undefined };
}

/**
 * Sets the alt text of a medium. Null, or only white space, removes it.
 * @param name the object's name, `<object_uuid>.<ext>`
 * @throws NotFound, whether it is missing or belongs to someone else
 */
export async function updateMedia(ownerId: string, name: string, altText: string | null): Promise<Media> {
  const [item] = await db
    .update(media)
    .set({ altText: altText?.trim() || null })
    .where(and(eq(media.ownerId, ownerId), eq(media.key, mediaKey(ownerId, name))))
    .returning();
  if (!item) throw new NotFound("Media", name);
  return item;
}
