import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { env } from "../env";
import { log } from "../log";
import { type ObjectName, stage, store } from "../storage";
import { type Mark, parseMark } from "./mark";

/** Where a mark is kept: in `DATA_DIR/marks`, and in the bucket if there is one, each under the ID of its installation. */
const folder = () => join(env.dataDir, "marks");
const objectOf = (installationId: string): ObjectName => `marks/${installationId}`;
const MAX_BYTES = 1_048_576;

/** Reads every copy of the mark. A copy that does not exist or cannot be read is left out. */
export async function readMarks(installationId: string, withBucket = env.s3 !== undefined): Promise<Mark[]> {
  const texts = await Promise.all([
    readFile(join(folder(), `${installationId}.json`), "utf8").catch(() => ""),
    withBucket ? readFromBucket(installationId) : "",
  ]);
  return texts.flatMap((one) => parseMark(one) ?? []);
}

async function readFromBucket(installationId: string): Promise<string> {
  try {
    const found = await store.read(objectOf(installationId));
    return found ? await new Response(found.stream()).text() : "";
  } catch (error) {
    log.warn(
      { error: String(error) },
      "the mark in the bucket could not be read; it is read again with the next write",
    );
    return "";
  }
}

/** Whether there are marks of other installations, so that this place was used by another database before. */
export async function hasForeignMarks(installationId: string): Promise<boolean> {
  const files = await readdir(folder()).catch(() => []);
  if (files.some((name) => name.endsWith(".json") && name !== `${installationId}.json`)) return true;
  if (!env.s3) return false;
  try {
    for await (const { name } of store.list("marks")) {
      if (name !== objectOf(installationId)) return true;
    }
  } catch (error) {
    log.warn({ error: String(error) }, "the marks in the bucket could not be listed");
  }
  return false;
}

/** Replaces the copy in `DATA_DIR` atomically. */
export async function writeToDataDir(mark: Mark): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = join(folder(), `${mark.installationId}.json`);
  const unfinished = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.new`;
  try {
    await writeFile(unfinished, JSON.stringify(mark), { mode: 0o600, flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }); // on a full disk, each try would leave a file
    throw error;
  }
}

export async function writeToBucket(mark: Mark): Promise<void> {
  const staged = await stage(Readable.from([Buffer.from(JSON.stringify(mark))]), MAX_BYTES);
  await store.put(objectOf(mark.installationId), staged, "application/json");
}
