import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inArray, max } from "drizzle-orm";
import { expect, vi } from "vitest";
import { db, media, mediaConversions, mediaImports, uploads } from "../db";
import { env } from "../env";
import { type ObjectName, store } from "../storage";

/** Staged files and stored objects without a row, and the newest import. */
type Unowned = { names: Set<string>; newestImport: number };

/**
 * Returns staged files and stored objects without a row, in the store of this test file. Other test files write to DATA_DIR at
 * the same time and may leave files there, so objects are compared only in the bucket, which no other file uses.
 */
export async function unowned(): Promise<Unowned> {
  const [newest] = await db.select({ id: max(mediaImports.id) }).from(mediaImports);
  const staged = await readdir(join(env.dataDir, "objects", "staged")).catch((): string[] => []);
  const names = await stored();
  const ids = [...new Set(names.map(idOf))];
  const owned = new Set<string>();
  for (const table of [media, mediaConversions, uploads]) {
    for (const { id } of await db.select({ id: table.id }).from(table).where(inArray(table.id, ids))) owned.add(id);
  }
  return {
    names: new Set([...staged, ...names.filter((name) => !owned.has(idOf(name)))]),
    newestImport: newest?.id ?? 0,
  };
}

/**
 * Waits until everything that arrived after `before` was read has been removed. Imports of earlier tests are left out: while an
 * import is tried again it has a file, and one that is withdrawn keeps it until the next clean-up.
 */
export async function nothingLeft(before: Unowned): Promise<void> {
  const isEarlier = (name: string) => Number(/^import-(\d+)-/.exec(name)?.[1] ?? Infinity) <= before.newestImport;
  const isNew = (name: string) => !before.names.has(name) && !isEarlier(name);
  await vi.waitFor(async () => expect([...(await unowned()).names].filter(isNew)).toEqual([]), { timeout: 45_000 });
}

async function stored(): Promise<ObjectName[]> {
  const names: ObjectName[] = [];
  for (const area of env.s3 ? (["uploads", "objects", "thumbnails"] as const) : (["uploads"] as const)) {
    for await (const { name } of store.list(area)) names.push(name);
  }
  return names;
}

const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
