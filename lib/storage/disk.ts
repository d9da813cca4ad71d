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
 * The embedded object store: one file per object below `DATA_DIR/objects`, named by the object's uuid alone, so nothing
 * that a caller chose ever becomes part of a path. A file appears under its name complete and synced, or not at all.
 */
const root = () => join(env.dataDir, "objects");

/** Objects lie in folders by the first two digits, the other areas in folders of their own. */
function placeOf(name: ObjectName): string {
  assertObjectName(name);
  const [area, id = ""] = name.split("/");
  return area === "objects" ? join(root(), id.slice(0, 2), id) : join(root(), area ?? "", id);
}

export const disk: Store = {
  async put(name, { path, synced }) {
    await synced;
    const place = placeOf(name);
    await mkdir(join(place, ".."), { recursive: true, mode: 0o700 });
    await rename(path, place);
    const folder = await open(join(place, ".."), "r");
    await folder.sync().catch(() => {}); // some file systems cannot sync a folder
    await folder.close();
  },

  async read(name, range) {
    const place = placeOf(name);
    const found = await stat(place).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const [inside, real] = await Promise.all([realpath(root()), realpath(place)]);
    if (!real.startsWith(inside + sep)) throw new Error("an object's path leaves the store");
    const options = range ? { start: range.first, end: range.last, highWaterMark: CHUNK } : { highWaterMark: CHUNK };
    return {
      sizeBytes: found.size,
      stream: () => Readable.toWeb(createReadStream(place, options)) as ReadableStream<Uint8Array>,
    };
  },

  async copyOut(name, maxBytes): Promise<Staged | undefined> {
    const place = placeOf(name);
    const found = await stat(place).catch(() => undefined);
    if (!found) return undefined;
    if (found.size > maxBytes) throw new StreamTooLong(`more than ${maxBytes} bytes`);
    // A PUT writes a file of its own and renames it: these bytes never change, and the link keeps them.
    return stageLink(place).catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? undefined : Promise.reject(error),
    );
  },

  async remove(name) {
    await rm(placeOf(name), { force: true });
  },

  async *writtenBefore(area, instant) {
    if (area === "objects") throw new Error("objects are found by their rows");
    for (const id of await readdir(join(root(), area)).catch(() => [])) {
      const found = await stat(placeOf(`${area}/${id}`)).catch(() => undefined);
      if (found && found.mtimeMs < instant.getTime()) yield `${area}/${id}`;
    }
  },

  async grantPut(terms) {
    assertObjectName(uploadOf(terms.key));
    return { url: grantUrl(terms), headers: headersOf(terms) };
  },
};
