import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { and, eq } from "drizzle-orm";
import { db, media, mediaConversions } from "../db";
import { perProcess } from "../db/per-process";
import { enqueue, removeJob } from "../jobs";
import { discard, type StagedFile, stageWrittenBy, store } from "../storage";
import { MAX_BYTES, UnusableFile } from "./file-errors";
import { inspectFile } from "./inspect";
import { ORPHAN_SECONDS, orphanJobKey, removeObjects, removeOrphanedObject } from "./keep";
import type { Media } from "./media";
import { asVideo, type Conversion, isFilm, isRewrap, type Recipe, recipeText } from "./recipe";
import { inWorkshop } from "./workshop";

/**
 * Converts an image by a recipe, to another image or to a film, or rewraps a video. The result is made once, stored with the original and
 * removed with it. It can be opened and addressed like any medium.
 * @throws UnusableFile if the recipe cannot be applied
 */
export async function convertMedia(item: Media, recipe: Recipe): Promise<Media> {
  const known = await findConversion(item.id, recipe);
  if (known) return asMedia(item, recipe, known);
  const key = `${item.id} ${recipeText(recipe)}`;
  const making = underWay().get(key) ?? make(item, recipe).finally(() => underWay().delete(key));
  underWay().set(key, making);
  return asMedia(item, recipe, await making);
}

/** Conversions in progress in this process. One file often goes to several networks at once and is converted only once. */
const underWay = () => perProcess("media.conversions", () => new Map<string, Promise<Kept>>());

async function make(item: Media, recipe: Recipe): Promise<Kept> {
  const original = await store.copyOut(`objects/${item.id}`, MAX_BYTES);
  if (!original) throw new Error(`the object of media ${item.id} is missing from the store`);
  try {
    const { file, made } = await stageWrittenBy((to) => {
      return inWorkshop("convert", { path: original.path, recipe, to }, { ownerId: item.ownerId, lane: "publishing" });
    });
    return await keep(item, recipe, file, made).finally(() => discard(file));
  } finally {
    await discard(original);
  }
}

type Kept = Conversion & { id: string };

async function findConversion(mediaId: string, recipe: Recipe): Promise<Kept | undefined> {
  const [row] = await db
    .select()
    .from(mediaConversions)
    .where(and(eq(mediaConversions.mediaId, mediaId), eq(mediaConversions.recipe, recipeText(recipe))));
  return row && { ...row, contentType: recipe.contentType };
}

/** As with a medium, a job leads to the object until its row exists. */
async function keep(item: Media, recipe: Recipe, file: StagedFile, made: Conversion): Promise<Kept> {
  const id = randomUUID();
  await enqueue(db, removeOrphanedObject, { id }, { at: { inSeconds: ORPHAN_SECONDS }, key: orphanJobKey(id) });
  await store.put(`objects/${id}`, file, made.contentType);
  const isFirst = await db.transaction(async (tx) => {
    // A deletion of the original waits for this lock, and then finds the new row.
    const [original] = await tx.select({ id: media.id }).from(media).where(eq(media.id, item.id)).for("share");
    if (!original) throw new Error(`media ${item.id} was removed while it was being converted`);
    const row = { id, mediaId: item.id, recipe: recipeText(recipe), ...made };
    const kept = await tx
      .insert(mediaConversions)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: mediaConversions.id });
    if (kept.length > 0) await removeJob(tx, orphanJobKey(id));
    return kept.length > 0;
  });
  if (isFirst) return { id, ...made };
  await removeObjects(id); // another process stored the same conversion first
  const known = await findConversion(item.id, recipe);
  if (!known) throw new Error(`media ${item.id} was removed while it was being converted`);
  return known;
}

function asMedia(item: Media, recipe: Recipe, { id, contentType, sizeBytes, width, height }: Kept): Media {
  const filename = convertedName(item.filename, contentType);
  const isVideo = isFilm(recipe) || isRewrap(recipe);
  return { ...(isVideo ? asVideo(item, recipe) : item), id, filename, contentType, sizeBytes, width, height };
}

const EXTENSIONS: { [type: string]: string } = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "video/mp4": "mp4",
};

/** Returns a file name with the extension of the converted type. */
export function convertedName(filename: string, contentType: string): string {
  return `${filename.replace(/\.[A-Za-z0-9]{1,8}$/, "")}.${EXTENSIONS[contentType]}`;
}

/**
 * Redraws an image as a PNG that fits into a box, in the workshop process. Only its pixels are kept, and it is never
 * enlarged.
 * @param ownerId who sent it: a user or a partner; owners take turns
 * @throws UnusableFile if the bytes are not a complete image
 */
export async function redrawImage(
  bytes: Uint8Array,
  box: { width: number; height: number },
  ownerId: string,
): Promise<Buffer> {
  const { file: original } = await stageWrittenBy((path) => writeFile(path, bytes, { mode: 0o600 }));
  try {
    const { contentType, width = 0, height = 0 } = await inspectFile(original.path, ownerId);
    if (!contentType.startsWith("image/"))
      throw new UnusableFile("unsupported", `file is not an image: the type found is ${contentType}`);
    const scale = Math.min(1, box.width / width, box.height / height);
    const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
    const recipe = { contentType: "image/png" as const, width: side(width), height: side(height) };
    const { file } = await stageWrittenBy((to) => {
      return inWorkshop("convert", { path: original.path, recipe, to }, { ownerId, lane: "intake" });
    });
    return await readFile(file.path).finally(() => discard(file));
  } finally {
    await discard(original);
  }
}
