import { and, arrayContains, asc, count, desc, eq, inArray, like, type SQL, sql } from "drizzle-orm";
import { db, media, posts, publications, schedules, type Tx } from "../db";
import { NotFound } from "../errors";
import { MARKS, searchWords } from "../search-text";
import { type ByteRange, store } from "../storage";
import { mediaKey, mediaKeys, safeFilename } from "./name";

export type Media = typeof media.$inferSelect;

export const isVideoMedia = (item: Pick<Media, "contentType">) => item.contentType.startsWith("video/");

/** Returns the owner's media with these keys, by key. Unknown keys and other owners' keys are absent. */
export async function mediaByKeys(ownerId: string, keys: string[], tx: Tx = db): Promise<Map<string, Media>> {
  if (keys.length === 0) return new Map();
  const rows = await tx
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
export function usesFile(key: string | SQL): SQL {
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

export const mediaKinds = ["IMAGE", "VIDEO", "DOCUMENT"] as const;
export const mediaSorts = ["-createdTime", "createdTime", "filename", "-sizeBytes"] as const;
export type MediaSort = (typeof mediaSorts)[number];

/** Filters for a list of media; without any, all of the owner's media match. */
export type MediaFilters = {
  /** Objects' names, `<object_uuid>.<ext>`; unknown names are left out. */
  names?: string[];
  /** Words that all occur in the file's name or alt text, ignoring case and accents. */
  text?: string;
  kind?: (typeof mediaKinds)[number];
  label?: string;
  /** Whether a schedule uses the file, also one that has ended. */
  isUsed?: boolean;
  hasAltText?: boolean;
};

/** The place of a medium in a list: what the list is sorted by, as text, and the ID. */
export type MediaPlace = [value: string, id: string];

const sorts: { [sort in MediaSort]: { by: SQL; type: SQL; isDescending: boolean } } = {
  "-createdTime": { by: sql`${media.createdAt}`, type: sql`timestamptz`, isDescending: true },
  createdTime: { by: sql`${media.createdAt}`, type: sql`timestamptz`, isDescending: false },
  filename: { by: sql`lower(${media.filename})`, type: sql`text`, isDescending: false },
  "-sizeBytes": { by: sql`${media.sizeBytes}`, type: sql`bigint`, isDescending: true },
};

/** Lists the owner's media, by default newest first. `next` is the place to continue after; absent on the last page. */
export async function listMedia(
  ownerId: string,
  page: MediaFilters & { limit: number; sort?: MediaSort; after?: MediaPlace },
): Promise<{ items: Media[]; next?: MediaPlace }> {
  const { limit, sort = "-createdTime", after, ...filters } = page;
  const { by, type, isDescending } = sorts[sort];
  const [comparison, direction] = isDescending ? [sql`<`, desc] : [sql`>`, asc];
  const beyond = after && sql`(${by}, ${media.id}) ${comparison} (${after[0]}::${type}, ${after[1]}::uuid)`;
  const rows = await db
    .select({ item: media, place: sql<string>`${by}::text` })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), ...filterConditions(ownerId, filters), beyond))
    .orderBy(direction(by), direction(media.id))
    .limit(limit + 1);
  const last = rows[limit - 1];
  const items = rows.slice(0, limit).map(({ item }) => item);
  return { items, next: rows.length > limit && last ? [last.place, last.item.id] : undefined };
}

function filterConditions(ownerId: string, filters: MediaFilters): (SQL | undefined)[] {
  const { names, text = "", kind, label, isUsed, hasAltText } = filters;
  const body = sql`(${media.filename} || ' ' || coalesce(${media.altText}, ''))`;
  // Only texts beyond ASCII have accents.
  const folded = sql`regexp_replace(decomposed(${body}), ${`[${MARKS}]`}, '', 'g')`;
  const written = sql`lower(case when octet_length(${body}) = length(${body}) then ${body} else ${folded} end)`;
  const contentTypes = { IMAGE: "image/%", VIDEO: "video/%", DOCUMENT: "application/pdf" };
  return [
    names && inArray(media.key, mediaKeys(ownerId, names)),
    ...searchWords(text).map((word) => sql`strpos(${written}, ${word}) > 0`),
    kind && like(media.contentType, contentTypes[kind]),
    label === undefined ? undefined : arrayContains(media.labels, [label]),
    isUsed === undefined ? undefined : sql`exists ${usesOf(ownerId)} = ${isUsed}`,
    hasAltText === undefined ? undefined : sql`(${media.altText} is not null) = ${hasAltText}`,
  ];
}

/** SQL: the owner's posts that use the file of a row of `media`. */
function usesOf(ownerId: string): SQL {
  return sql`(${db
    .select({ one: sql`1` })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .innerJoin(schedules, eq(schedules.id, publications.scheduleId))
    .where(and(eq(schedules.ownerId, ownerId), usesFile(sql`${media.key}`)))})`;
}

/** The number of an owner's files: all, those of each kind, and those that the filters `isUsed` and `hasAltText` leave. */
export type MediaCounts = {
  all: number;
  kinds: { [kind in (typeof mediaKinds)[number]]: number };
  unused: number;
  withoutAltText: number;
};

/** Counts the owner's files. */
export async function countMedia(ownerId: string): Promise<MediaCounts> {
  const those = (filters: MediaFilters) =>
    sql<number>`count(*) filter (where ${and(...filterConditions(ownerId, filters))})`.mapWith(Number);
  const [row] = await db
    .select({
      all: count(),
      IMAGE: those({ kind: "IMAGE" }),
      VIDEO: those({ kind: "VIDEO" }),
      DOCUMENT: those({ kind: "DOCUMENT" }),
      unused: those({ isUsed: false }),
      withoutAltText: those({ hasAltText: false }),
    })
    .from(media)
    .where(eq(media.ownerId, ownerId));
  if (!row) throw new Error("a count without groups has one row");
  const { all, unused, withoutAltText, ...kinds } = row;
  return { all, kinds, unused, withoutAltText };
}

/** Returns the owner's labels in alphabetical order, with the number of their files. */
export async function listMediaLabels(ownerId: string): Promise<{ label: string; files: number }[]> {
  const labels = db
    .select({ label: sql<string>`unnest(${media.labels})`.as("label") })
    .from(media)
    .where(eq(media.ownerId, ownerId))
    .as("labels");
  return db
    .select({ label: labels.label, files: count() })
    .from(labels)
    .groupBy(labels.label)
    .orderBy(sql`lower(${labels.label})`, labels.label);
}

/** The fields of a medium that its owner chooses. */
export type MediaChanges = { altText?: string | null; filename?: string; labels?: string[] };

/**
 * Changes the given fields of a medium. An alt text of null, or of only white space, removes it. Labels replace all labels.
 * @param name the object's name, `<object_uuid>.<ext>`
 * @throws NotFound, whether it is missing or belongs to someone else
 */
export async function updateMedia(tx: Tx, ownerId: string, name: string, changes: MediaChanges): Promise<Media> {
  const { altText, filename, labels } = changes;
  const [item] = await tx
    .update(media)
    .set({
      ...(altText !== undefined && { altText: altText?.trim() || null }),
      ...(filename !== undefined && { filename: safeFilename(filename) }),
      ...(labels && { labels: [...new Set(labels)].sort() }),
    })
    .where(and(eq(media.ownerId, ownerId), eq(media.key, mediaKey(ownerId, name))))
    .returning();
  if (!item) throw new NotFound("Media", name);
  return item;
}
