import { createReadStream } from "node:fs";
import { mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { env } from "../env";
import { grantUrl } from "./signed-put";
import { linkOrCopy, type Staged, StreamTooLong, stageLink } from "./staged";
import { assertObjectName, headersOf, isObjectName, type ObjectName, type Store, uploadOf } from "./store";
import { CHUNK } from "./writer";

/**
 * The embedded object store: one file per object below `DATA_DIR/objects`, named by the object's UUID, so that no input of a
 * caller becomes part of a path. A file appears under its name only when it is complete and synced.
 */
const root = () => join(env.dataDir, "objects");

/** Objects are in folders named by their first two digits. Each other area has one folder. */
function pathOf(name: ObjectName): string {
  assertObjectName(name);
  const [area, id = ""] = name.split("/");
  return area === "objects" ? join(root(), id.slice(0, 2), id) : join(root(), area ?? "", id);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).toSorted();
}

/**
 * Gives an object of the embedded store a second name outside of it: a hard link, or a copy on another file system. Returns its
 * size, or undefined if there is no such object.
 */
export async function linkFromDisk(name: ObjectName, to: string): Promise<number | undefined> {
  try {
    await linkOrCopy(pathOf(name), to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return (await stat(to)).size;
}

export const disk: Store = {
  async put(name, staged) {
    await staged.synced;
    const path = pathOf(name);
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    await rename(staged.path, path);
    const folder = await open(join(path, ".."), "r");
    await folder.sync().catch(() => {}); // some file systems cannot sync a folder
    await folder.close();
  },

  async read(name, range) {
    const path = pathOf(name);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const [inside, real] = await Promise.all([realpath(root()), realpath(path)]);
    if (!real.startsWith(inside + sep)) throw new Error("the path of an object is outside the store");
    const options = range ? { start: range.first, end: range.last, highWaterMark: CHUNK } : { highWaterMark: CHUNK };
    return {
      sizeBytes: found.size,
      stream: () => Readable.toWeb(createReadStream(path, options)) as ReadableStream<Uint8Array>,
    };
  },

  async copyOut(name, maxBytes): Promise<Staged | undefined> {
    const path = pathOf(name);
    const found = await stat(path).catch(() => undefined);
    if (!found) return undefined;
    if (found.size > maxBytes) throw new StreamTooLong(`more than ${maxBytes} bytes`);
    // A PUT writes a new file and renames it. So the bytes of this file never change, and the link keeps them.
    return stageLink(path).catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? undefined : Promise.reject(error),
    );
  },

  async remove(name) {
    await rm(pathOf(name), { force: true });
  },

  async *list(area) {
    const folders = area === "objects" ? (await namesIn(root())).filter((name) => /^[0-9a-f]{2}$/.test(name)) : [area];
    for (const folder of folders) {
      const names = (await namesIn(join(root(), folder))).map((id) => `${area}/${id}`);
      for (const name of names.filter(isObjectName)) {
        const found = await stat(pathOf(name)).catch(() => undefined);
        if (found) yield { name, sizeBytes: found.size, writtenAt: found.mtime };
      }
    }
  },

  async grantPut(terms) {
    assertObjectName(uploadOf(terms.key));
    return { url: grantUrl(terms), headers: headersOf(terms) };
  },
};
