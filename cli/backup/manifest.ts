import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type RowsFile, readRows } from "../../lib/db/backup/rows";
import { BadRequest } from "../../lib/errors";
import type { ObjectReference } from "../../lib/media";
import { assertObjectName, type ObjectName } from "../../lib/storage";

// A backup is a folder: `manifest.json`, `tables/` with the rows of each table, `objects.gz` with the list of the files that the
// rows refer to, and, without a bucket, `objects/` with these files. ADR 31 explains the method.

export const FORMAT = 1;

const Rows = z.object({
  file: z.string().regex(/^(tables\/[\w.]+|objects)\.gz$/),
  columns: z.array(z.string()),
  rows: z.number(),
  sizeBytes: z.number(),
  sha256: z.string(),
});

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of Carillon that made the backup. */
  carillon: z.string(),
  /** Every change that was committed before this instant is in the backup. */
  takenAt: z.string(),
  finishedAt: z.string(),
  serverVersion: z.string(),
  schema: z.object({ migrations: z.array(z.string()), jobMigration: z.number() }),
  tables: z.array(Rows.extend({ name: z.string() })),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  objects: z.object({
    /** The bucket that has the files; absent if the backup has them. */
    bucket: z.string().optional(),
    list: Rows,
    /** Files that the store had lost already. */
    lost: z.array(z.string()),
  }),
  /** The IDs of the keys in SECRETS_KEY with which values in the database are encrypted. */
  keys: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** @throws BadRequest if there is no complete backup of a known format in the folder */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => {
    throw new BadRequest(`${folder} has no backup: manifest.json is missing`);
  });
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    throw new BadRequest(
      `${folder} has no backup that this release can read: manifest.json is damaged or of another format`,
    );
  }
}

/** The path of an object in the backup's folder. */
export function objectPath(name: ObjectName): string {
  const [area = "", id = ""] = name.split("/");
  return join("objects", area, id.slice(0, 2), id);
}

/** Reads the list of the files that the rows of the backup refer to, in the order of their names. */
export async function* listObjects(folder: string, list: RowsFile): AsyncGenerator<ObjectReference> {
  for await (const [name = "", sizeBytes, digest, contentType = ""] of readRows(folder, list)) {
    assertObjectName(name);
    yield { name, sizeBytes: sizeBytes === undefined ? undefined : Number(sizeBytes), digest, contentType };
  }
}
