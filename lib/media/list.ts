import { and, desc, eq, sql } from "drizzle-orm";
import { db, media } from "../db";
import type { Media } from "./media";

/** The owner's media, newest first; `next` is the place to go on after, absent on the last page. */
export async function listMedia(
  ownerId: string,
  { limit, after }: { limit: number; after?: [createdAt: string, id: string] },
): Promise<{ items: Media[]; next?: [createdAt: string, id: string] }> {
  const beyond = after && sql`(${media.createdAt}, ${media.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const rows = await db
    .select()
    .from(media)
    .where(and(eq(media.ownerId, ownerId), beyond))
    .orderBy(desc(media.createdAt), desc(media.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? [last.createdAt, last.id] : undefined };
}
