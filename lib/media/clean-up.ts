import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, lt, or } from "drizzle-orm";
import { databaseNow, db, uploads } from "../db";
import { MEDIA_CLEAN_UP_LOOP_LOCK } from "../db/locks";
import type { Loop } from "../jobs";
import { log } from "../log";
import { discardAbandoned, store, uploadOf } from "../storage";

const HOUR_MS = 3_600_000;
const EVERY_MS = 600_000;
/** What was granted and neither confirmed nor used is gone this long after the grant's end; so is what came too late. */
const UNUSED_MS = 24 * HOUR_MS;
/** How long the reason of a refusal is told; its bytes are gone at once. */
const REASON_MS = 30 * 24 * HOUR_MS;
/** Longer than a grant's window: whatever lies in the store for longer than both has no grant any more. */
const STRAY_MS = UNUSED_MS + HOUR_MS;
const BATCH = 100;

export type CleanedUp = { grants: number; strays: number };

/**
 * Removes what nobody will use: grants past their time with what was uploaded for them, and uploads without a grant. Media
 * are not touched: what is used once is a medium of its own.
 * @param now the database's time, or another one for tests
 */
export async function cleanUp(now: Date): Promise<CleanedUp> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const grants = await removeGrants(before(UNUSED_MS), before(REASON_MS));
  let strays = 0;
  for await (const name of store.writtenBefore("uploads", before(STRAY_MS))) {
    await store.remove(name);
    strays += 1;
  }
  return { grants, strays };
}

/** The object first: should this end in between, the row leads to it again. */
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
    if (removed.grants + removed.strays > 0) log.info(removed, "unused uploads are removed");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

/**
 * Removes staged files of processes that were killed, at once and every ten minutes. Each machine has such files of its own,
 * also where all share a bucket, so each process does this for its own.
 * @returns what ends it
 */
export function startStagedFileCleanUp(): () => void {
  const sweep = () =>
    discardAbandoned(new Date(Date.now() - UNUSED_MS)).then(
      (files) => files > 0 && log.info({ files }, "staged files of ended processes are removed"),
      (error) => log.warn({ error: String(error) }, "staged files could not be cleaned up"),
    );
  const timer = setInterval(sweep, EVERY_MS).unref();
  void sweep();
  return () => clearInterval(timer);
}
