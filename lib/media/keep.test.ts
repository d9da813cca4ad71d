import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db, media } from "../db";
import { stage, store } from "../storage";
import { jpeg, newOwner } from "../testing";
import { inspectFile } from "./inspect";
import { keepMedia, removeOrphanedObject } from "./keep";

let owner: string;
beforeAll(async () => {
  owner = await newOwner();
});

/** Stores a picture. `also` runs in the transaction of its row. */
async function kept(also?: (id: string) => Promise<void>) {
  const file = await stage(Readable.from([await jpeg()]), 1_000_000);
  const look = await inspectFile(file.path, "anyone");
  return keepMedia(owner, file, look, { filename: "a.jpg", also: (_, { id }) => also?.(id) ?? Promise.resolve() });
}

async function isStored(id: string): Promise<boolean[]> {
  const objects = [await store.read(`objects/${id}`), await store.read(`thumbnails/${id}`)];
  for (const object of objects) await object?.stream().cancel();
  return objects.map((object) => object !== undefined);
}

/** The removal jobs waiting for an object. */
async function removals(id: string): Promise<unknown[]> {
  const { rows } = await db.execute(sql`select 1 from graphile_worker.jobs where key = ${`media.remove:${id}`}`);
  return rows;
}

const remove = (id: string) => removeOrphanedObject.run({ id }, { id: "test", assertAlive: () => {} });

test("an object without a row has a job that removes it with its thumbnail", async () => {
  let id = "";
  const ended = kept(async (given) => {
    id = given;
    throw new Error("the process ends here");
  });
  await expect(ended).rejects.toThrow("the process ends here");
  expect(await db.select().from(media).where(eq(media.id, id))).toEqual([]);
  expect(await isStored(id)).toEqual([true, true]);
  expect(await removals(id)).toHaveLength(1);
  await remove(id);
  expect(await isStored(id)).toEqual([false, false]);
});

test("an object with a row has no such job", async () => {
  const { id } = await kept();
  expect(await removals(id)).toEqual([]);
  await remove(id);
  expect(await isStored(id)).toEqual([true, true]);
});
