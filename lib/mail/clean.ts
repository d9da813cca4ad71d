import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { db, mails, mailTokens } from "../db";
import type { Loop } from "../jobs";
import { removeKept } from "./kept";

const EVERY_MS = 3_600_000;
/** Long after the last event that could ask for the same mail again. */
const KEEP_DAYS = 90;
const BATCH = 1_000;

/** Removes what was kept for a user who is being deleted; their tokens go with their row. */
export async function eraseMail(userId: string): Promise<undefined> {
  const rows = await db.select({ id: mails.id }).from(mails).where(eq(mails.ownerId, userId));
  for (const { id } of rows) await remove(id);
}

/** The file first: a row whose file is gone is found again, a file whose row is gone is not. */
async function remove(id: string): Promise<void> {
  await removeKept(id);
  await db.delete(mails).where(eq(mails.id, id));
}

/** Mails that are months old go with their files, links that have expired a day later. */
export async function removeOldMail(days = KEEP_DAYS): Promise<void> {
  const past = sql`created_at < now() - make_interval(days => ${days}) and ended_at is not null`;
  let count: number;
  do {
    const { rows } = await db.execute<{ id: string }>(sql`select id from ${mails} where ${past} limit ${BATCH}`);
    for (const { id } of rows) await remove(id);
    count = rows.length;
  } while (count === BATCH);
  await db.delete(mailTokens).where(sql`${mailTokens.expiresAt} < now() - interval '1 day'`);
}

/** Once an hour, in one process of all. */
export const oldMailLoop: Loop = {
  name: "old mail",
  lock: 9_460,
  async turn(signal) {
    await removeOldMail();
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};
