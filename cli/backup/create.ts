import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { db, installation } from "../../lib/db";
import { dumpDatabase } from "../../lib/db/backup/dump";
import { copyToFile, type RowsFile } from "../../lib/db/backup/rows";
import { env } from "../../lib/env";
import { Conflict } from "../../lib/errors";
import { assertStore } from "../../lib/installation";
import { isReferenced, objectReferences } from "../../lib/media";
import { keyIds } from "../../lib/secrets";
import { linkFromDisk } from "../../lib/storage";
import { countKeyUse } from "../keys";
import type { Say } from "../progress";
import { FORMAT, listObjects, type Manifest, objectPath } from "./manifest";

/** Errors of the disk or of the folder's permissions, which the operator can change. */
const OF_THE_DISK = ["EACCES", "EDQUOT", "ENOENT", "ENOSPC", "EPERM", "EROFS"];

/**
 * Writes a backup to a new folder while the service runs. The folder appears under its name only when the backup is complete
 * and on disk.
 * @throws Conflict if there is something at this path already, or if it cannot be written to
 */
export async function createBackup(to: string, say: Say) {
  const folder = resolve(to);
  await assertUnused(folder);
  await assertStore();
  const unfinished = `${folder}.unfinished-${randomBytes(4).toString("hex")}`;
  try {
    await makeFolder(dirname(folder));
    await mkdir(unfinished, { mode: 0o700 });
    const manifest = await writeBackup(unfinished, say);
    await rename(unfinished, folder);
    await syncFolder(dirname(folder));
    await db.update(installation).set({ lastBackupAt: manifest.takenAt });
    return summaryOf(folder, manifest);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw OF_THE_DISK.includes(code) ? new Conflict(`The backup cannot be written to ${folder}: ${message}`) : error;
  }
}

/** A file at this path would be noticed only when everything is written. */
async function assertUnused(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new Conflict(`${folder} cannot be the folder of the backup: ${error.message}`);
  });
  if (found.length > 0) throw new Conflict(`${folder} is not empty: give each backup a folder of its own`);
}

/** Creates a folder and those above it. With `recursive`, Node never returns below `/proc` and empty mount points of autofs. */
async function makeFolder(path: string): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function writeBackup(folder: string, say: Say): Promise<Manifest> {
  const keys = await neededKeys();
  const { dump, also: list } = await dumpDatabase(folder, say, (client) =>
    copyToFile(client, objectReferences, { folder, file: "objects.gz", report: () => say("list of files") }),
  );
  const lost = env.s3 ? [] : await copyObjects(folder, list, say);
  const manifest: Manifest = {
    ...{ format: FORMAT, carillon: await version(), finishedAt: new Date().toISOString(), ...dump },
    objects: { bucket: env.s3?.bucket, list, lost },
    keys,
  };
  const options = { mode: 0o600, flag: "wx", flush: true };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, undefined, 2), options);
  for (const name of ["tables", ""]) await syncFolder(join(folder, name));
  return manifest;
}

/** The newest key, and each older one that something still needs. */
async function neededKeys(): Promise<string[]> {
  const { keys } = await countKeyUse();
  const used = new Set(keys.filter(({ key, values }) => key === 1 || values > 0).map(({ key }) => key));
  return keyIds().filter((_, index) => used.has(index + 1));
}

/** Copies the files of the rows. Returns the names of those that the store does not have. */
async function copyObjects(folder: string, list: RowsFile, say: Say): Promise<string[]> {
  const lost: string[] = [];
  const made = new Set<string>();
  let done = 0;
  for await (const { name, sizeBytes } of listObjects(folder, list)) {
    const path = join(folder, objectPath(name));
    if (!made.has(dirname(path))) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    made.add(dirname(path));
    const found = await linkFromDisk(name, path);
    const isWhole = found !== undefined && (sizeBytes === undefined || found === sizeBytes);
    // Its owner may have deleted it since the snapshot. Then it is not lost, but the backup does not have it either.
    if (!isWhole && (found !== undefined || (await isReferenced(name)))) console.error(`${name} is missing or damaged`);
    if (!isWhole) lost.push(name);
    done += 1;
    say(`${done} of ${list.rows} files`);
  }
  for (const created of made) await syncFolder(created);
  return lost;
}

async function version(): Promise<string> {
  return JSON.parse(await readFile("package.json", "utf8")).version;
}

function summaryOf(folder: string, { takenAt, tables, objects, keys }: Manifest) {
  return {
    folder,
    takenAt,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: objects.list.rows - objects.lost.length,
    ...(objects.bucket ? { bucket: objects.bucket } : {}),
    lost: objects.lost.length,
    keys,
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().catch(() => {}); // some file systems cannot sync a folder
  await folder.close();
}
