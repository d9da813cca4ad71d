import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inArray, notInArray } from "drizzle-orm";
import { expect, vi } from "vitest";
import { db, media, mediaConversions, mediaImports, uploads } from "../db";
import { env } from "../env";
import { type ObjectName, store } from "../storage";

/**
 * Returns staged files and stored objects without a row, in the store of this test file. Other test files write to DATA_DIR at
 * the same time and may leave files there, so objects are compared only in the bucket, which no other file uses.
 */
export async function unowned(): Promise<Set<string>> {
  const staged = await received();
  const names = await stored();
  const ids = [...new Set(names.map(idOf))];
  const owned = new Set<string>();
  for (const table of [media, mediaConversions, uploads]) {
    for (const { id } of await db.select({ id: table.id }).from(table).where(inArray(table.id, ids))) owned.add(id);
  }
  return new Set([...staged, ...names.filter((name) => !owned.has(idOf(name)))]);
}

/** Waits until everything that arrived after `before` was read has been removed. */
export async function nothingLeft(before: Set<string>): Promise<void> {
  const isNew = (name: string) => !before.has(name);
  await vi.waitFor(async () => expect([...(await unowned())].filter(isNew)).toEqual([]), { timeout: 45_000 });
}

/** Staged files, except those that an unfinished import still needs. */
async function received(): Promise<string[]> {
  const names = await readdir(join(env.dataDir, "objects", "staged")).catch((): string[] => []);
  const over = notInArray(mediaImports.state, ["READY", "FAILED_PERMANENT"]);
  const going = await db.select({ id: mediaImports.id }).from(mediaImports).where(over);
  const kept = new Set(going.map(({ id }) => String(id)));
  return names.filter((name) => !kept.has(/^import-(\d+)-/.exec(name)?.[1] ?? ""));
}

async function stored(): Promise<ObjectName[]> {
  const names: ObjectName[] = [];
  for (const area of env.s3 ? (["uploads", "objects", "thumbnails"] as const) : (["uploads"] as const)) {
    for await (const { name } of store.list(area)) names.push(name);
  }
  return names;
}

const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
