import { randomUUID } from "node:crypto";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, uploads } from "../db";
import { env } from "../env";
import { type ObjectName, stage, store, uploadOf } from "../storage";
import { connectAccount, inAnHour, jpeg, letDue, postsOn, schedule, settled, withWorker } from "../testing";
import { cleanUp } from "./clean-up";
import { withGrants } from "./testing/grants";

const DAY_MS = 86_400_000;
const { mine, server, put, confirm, uploaded } = withGrants();
withWorker();

/** Makes all grants of this owner expire this long ago. */
const age = (interval: string) =>
  db
    .update(uploads)
    .set({ expiresAt: sql`now() - ${interval}::interval` })
    .where(eq(uploads.ownerId, mine.owner));

test("an unused grant is removed with its upload a day after it expires; used uploads are kept", async () => {
  const [unused, used] = [await uploaded(await jpeg()), await uploaded(await jpeg())];
  const { url } = (await confirm(used.key))[1] as { url: string };
  const stray = await put(used, await jpeg()).catch(() => 0);
  await age("23 hours 59 minutes");
  await cleanUp(new Date());
  expect(await store.read(uploadOf(unused.key))).toBeDefined();
  await age("24 hours 1 minute");
  await cleanUp(new Date());
  expect(await store.read(uploadOf(unused.key))).toBeUndefined();
  expect([stray, await store.read(uploadOf(used.key))]).toEqual([expect.any(Number), undefined]);
  expect((await confirm(unused.key))[0]).toBe(404);
  expect((await confirm(used.key))[0]).toBe(200);
  expect((await server.get(url)).status).toBe(200);
});

test("an unconfirmed file that a schedule uses is still there when the schedule is due", async () => {
  const { id, person } = await connectAccount(mine.owner, "X_TWITTER");
  const { key } = await uploaded(await jpeg(300, 200));
  const posts = [{ content: "kept", attachmentPaths: [key] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
  const stored = await schedule(mine.caller, publications, inAnHour());
  await age("24 hours 1 minute");
  await cleanUp(new Date());
  await letDue(stored);
  expect((await settled(mine.caller, stored.id)).overallStatus).toBe("COMPLETED");
  expect((await postsOn("x", person))[0]?.media).toHaveLength(1);
}, 40_000);

test("an upload without a grant is removed after a day and an hour", async () => {
  const names: ObjectName[] = [`uploads/${randomUUID()}`, `uploads/${randomUUID()}`];
  for (const name of names) await store.put(name, await stage(Readable.from([await jpeg()]), 1_000_000), "image/jpeg");
  const [old = "uploads/", young = "uploads/"] = names;
  // The dates of a bucket's objects cannot be changed, so there both are checked a day later.
  const longAgo = new Date(Date.now() - DAY_MS - 3_601_000);
  if (!env.s3) await utimes(join(env.dataDir, "objects", old), longAgo, longAgo);
  expect([await isThere(old), await isThere(young)]).toEqual([true, true]);
  await cleanUp(env.s3 ? new Date(Date.now() + DAY_MS + 3_660_000) : new Date());
  expect([await isThere(old), await isThere(young)]).toEqual([false, !env.s3]);
  await store.remove(young);
});

async function isThere(name: ObjectName): Promise<boolean> {
  const object = await store.read(name, { first: 0, last: 0 });
  await object?.stream().cancel();
  return object !== undefined;
}
