import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, lt, or } from "drizzle-orm";
import { databaseNow, db, uploads } from "../db";
import { MEDIA_CLEAN_UP_LOOP_LOCK } from "../db/locks";
import type { Loop } from "../jobs";
import { log } from "../log";
import { discardAbandoned, store, uploadOf } from "../storage";
import { discardDownloadsOfGoneImports } from "./imports";

const HOUR_MS = 3_600_000;
const EVERY_MS = 600_000;
/** How long after its end a grant that was neither confirmed nor used is removed, like a file that arrived too late. */
const UNUSED_MS = 24 * HOUR_MS;
/** How long the reason of a rejected upload is kept. Its bytes are deleted at once. */
const REASON_MS = 30 * 24 * HOUR_MS;
/** Longer than any grant lasts: an older upload in the store has no grant any more. */
const STRAY_MS = UNUSED_MS + HOUR_MS;
const BATCH = 100;

export type CleanedUp = { grants: number; strays: number };

/**
 * Removes expired grants with their uploads, and uploads without a grant. Media are not touched, because an upload becomes
 * a medium of its own when it is first used.
 * @param now the database's time, or another one in tests
 */
export async function cleanUp(now: Date): Promise<CleanedUp> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const grants = await removeGrants(before(UNUSED_MS), before(REASON_MS));
  let strays = 0;
  for await (const { name, writtenAt } of store.list("uploads")) {
    if (writtenAt >= before(STRAY_MS)) continue;
    await store.remove(name);
    strays += 1;
  }
  return { grants, strays };
}

/** Deletes the object first: if the process ends in between, the row still leads to it. */
async function removeGrants(unused: Date, refused: Date): Promise<number> {
  const over = or(
    and(inArray(uploads.state, ["GRANTED", "CONFIRMED"]), lt(uploads.expiresAt, unused.toISOString())),
    and(eq(uploads.state, "REJECTED"), lt(uploads.expiresAt, refused.toISOString())),
  );
  let removed = 0;
  for (;;) {
    const rows = await db.select().from(uploads).where(over).orderBy(uploads.expiresAt).limit(BATCH);
    for (const { key } of rows) await store.remove(uploadOf(key));
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.delete(uploads).where(and(inArray(uploads.id, ids), over));
    removed += rows.length;
    if (rows.length < BATCH) return removed;
  }
}

/** Cleans up every ten minutes, in one process of all. */
export const cleanUpLoop: Loop = {
  name: "media clean-up",
  lock: MEDIA_CLEAN_UP_LOOP_LOCK,
  async turn(signal) {
    const removed = await cleanUp(await databaseNow());
    if (removed.grants + removed.strays > 0) log.info(removed, "unused uploads were removed");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

async function discardUnneeded(): Promise<number> {
  const abandoned = await discardAbandoned(new Date(Date.now() - UNUSED_MS));
  return abandoned + (await discardDownloadsOfGoneImports());
}

/**
 * Removes staged files of killed processes and of deleted imports, now and every ten minutes. Every process does this for its
 * own machine, even if all of them share a bucket.
 * @returns a function that stops it
 */
export function startStagedFileCleanUp(): () => void {
  const sweep = () =>
    discardUnneeded().then(
      (files) => files > 0 && log.info({ files }, "staged files that are no longer needed were removed"),
      (error) => log.warn({ error: String(error) }, "staged files could not be removed"),
    );
  const timer = setInterval(sweep, EVERY_MS).unref();
  void sweep();
  return () => clearInterval(timer);
}
