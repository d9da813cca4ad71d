import { createReadStream } from "node:fs";
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { env } from "../env";

/** Bytes move in pieces of this size. */
const CHUNK = 1_048_576;
const OBJECT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The embedded object store: one file per object in `DATA_DIR/objects`, named by the object's uuid alone, so nothing that a
 * caller chose ever becomes part of a path. A file appears under its name complete and synced, or not at all.
 */
const root = () => join(env.dataDir, "objects");

function placeOf(id: string): string {
  if (!OBJECT_ID.test(id)) throw new Error(`not an object id: ${id}`);
  return join(root(), id.slice(0, 2), id);
}

function stagedPlaceOf(id: string): string {
  if (!OBJECT_ID.test(id)) throw new Error(`not an object id: ${id}`);
  return join(root(), "staged", id);
}

/**
 * Streams bytes, through a meter that sees each of them, into a staged file, which nobody can read by its key yet.
 * Returns the file's path, to be looked at.
 */
export async function stageObject(id: string, bytes: Readable, meter: Transform): Promise<string> {
  await mkdir(join(root(), "staged"), { recursive: true, mode: 0o700 });
  const path = stagedPlaceOf(id);
  const file = await open(path, "wx", 0o600); // opened first: whatever happens to the bytes, the file is there to remove
  await pipeline(bytes, meter, file.createWriteStream({ highWaterMark: CHUNK }));
  return path;
}

/** Makes a staged object the stored one, durably. */
export async function keepObject(id: string): Promise<void> {
  const staged = stagedPlaceOf(id);
  const file = await open(staged, "r+");
  await file.sync();
  await file.close();
  const place = placeOf(id);
  await mkdir(join(place, ".."), { recursive: true, mode: 0o700 });
  await rename(staged, place);
  const folder = await open(join(place, ".."), "r");
  await folder.sync().catch(() => {}); // some file systems cannot sync a folder
  await folder.close();
}

/** Removes an object, staged or stored; nothing happens where there is none. */
export async function removeObject(id: string): Promise<void> {
  await Promise.all([rm(stagedPlaceOf(id), { force: true }), rm(placeOf(id), { force: true })]);
}

/** An object's bytes, or a range of them (last byte included). Undefined where it is not in the store. */
export async function readObject(id: string, range?: { first: number; last: number }) {
  const place = placeOf(id);
  const found = await stat(place).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const [inside, real] = await Promise.all([realpath(root()), realpath(place)]);
  if (!real.startsWith(inside + sep)) throw new Error("an object's path leaves the store");
  const options = range ? { start: range.first, end: range.last, highWaterMark: CHUNK } : { highWaterMark: CHUNK };
  return {
    sizeBytes: found.size,
    stream: () => Readable.toWeb(createReadStream(place, options)) as ReadableStream<Uint8Array>,
  };
}
