import { createReadStream } from "node:fs";
import { mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { env } from "../env";
import { grantUrl } from "./signed-put";
import { type Staged, StreamTooLong, stageLink } from "./staged";
import { assertObjectName, headersOf, type ObjectName, type Store, uploadOf } from "./store";
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

  async *writtenBefore(area, instant) {
    if (area === "objects") throw new Error("objects are listed by their database rows");
    for (const id of await readdir(join(root(), area)).catch(() => [])) {
      const found = await stat(pathOf(`${area}/${id}`)).catch(() => undefined);
      if (found && found.mtimeMs < instant.getTime()) yield `${area}/${id}`;
    }
  },

  async grantPut(terms) {
    assertObjectName(uploadOf(terms.key));
    return { url: grantUrl(terms), headers: headersOf(terms) };
  },
};
