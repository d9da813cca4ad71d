import { randomUUID } from "node:crypto";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db, media } from "../db";
import { env } from "../env";
import { loadAttachments } from "../schedules/publish/publish";
import { type ObjectName, stage, store } from "../storage";
import { newOwner, picture } from "../testing";
import { checkObjects, type ObjectProblem } from "./check-objects";

type Stored = { key: string; id: string; path: string };

const pathOf = (id: string) => join(env.dataDir, "objects", id.slice(0, 2), id);

async function stored(ownerId: string): Promise<Stored> {
  const key = await picture(ownerId);
  const [row] = await db.select({ id: media.id }).from(media).where(eq(media.key, key));
  if (!row) throw new Error("the picture was not stored");
  return { key, id: row.id, path: pathOf(row.id) };
}

/** Stores an object without a row, last written this many days ago. */
async function orphan(days: number): Promise<string> {
  const id = randomUUID();
  await store.put(`objects/${id}`, await stage(Readable.from([Buffer.from("x")]), 10), "image/png");
  const written = new Date(Date.now() - days * 86_400_000);
  await utimes(pathOf(id), written, written);
  return id;
}

const exists = async (name: ObjectName) => (await store.read(name)) !== undefined;

let owner: string;
let [missing, damaged, whole]: Stored[] = [];
let [old, young]: string[] = [];

async function check(repair: boolean): Promise<{ [id: string]: ObjectProblem["problem"] }> {
  const found: [string, ObjectProblem["problem"]][] = [];
  await checkObjects({ repair, onProblem: ({ name, problem }) => found.push([name, problem]), say: () => {} });
  const own = [missing?.id, damaged?.id, whole?.id, old, young].map((id) => `objects/${id}`);
  return Object.fromEntries(found.filter(([name]) => own.includes(name)));
}

const use = ({ key }: Stored) =>
  loadAttachments(owner, { attachmentPaths: [key], thumbnailPath: null } as unknown as Parameters<
    typeof loadAttachments
  >[1]);

beforeAll(async () => {
  owner = await newOwner();
  [missing, damaged, whole] = [await stored(owner), await stored(owner), await stored(owner)];
  [old, young] = [await orphan(2), await orphan(0.5)];
});

test("missing, damaged and orphaned objects are found, marked or removed, and usable again when they are back", async () => {
  if (!missing || !damaged || !whole) throw new Error("the pictures were not stored");
  const bytes = await readFile(missing.path);
  await store.remove(`objects/${missing.id}`);
  await writeFile(damaged.path, "x");
  const expected = {
    [`objects/${missing.id}`]: "missing",
    [`objects/${damaged.id}`]: "damaged",
    [`objects/${old}`]: "orphaned",
  };
  expect(await check(false)).toEqual(expected);
  await expect(use(missing)).resolves.toBeDefined();
  expect(await exists(`objects/${old}`)).toBe(true);

  expect(await check(true)).toEqual(expected);
  for (const lost of [missing, damaged]) {
    await expect(use(lost)).rejects.toThrow("picture.jpg was lost. Upload it again");
  }
  await expect(use(whole)).resolves.toBeDefined();
  expect([await exists(`objects/${old}`), await exists(`objects/${young}`)]).toEqual([false, true]);

  await writeFile(missing.path, bytes, { mode: 0o600 }); // as the store writes it, which the tests of the backup expect
  expect(await check(true)).toEqual({ [`objects/${damaged.id}`]: "damaged" });
  await expect(use(missing)).resolves.toBeDefined();
  await store.remove(`objects/${young}`);
});
