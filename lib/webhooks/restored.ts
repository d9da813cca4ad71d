import { sql } from "drizzle-orm";
import { db } from "../db";
import { log } from "../log";

/** SQL: the id of the next transaction; nothing that was committed here has it, or a higher one. */
export const nextTransaction = sql`pg_snapshot_xmax(pg_current_snapshot())`;
/** Where the log of another database begins in this one. */
export const RESTORED = "1";

/**
 * A dump that was restored into another cluster brings transaction ids that are in its future, and would not be shown before
 * those are reached. Such events, and who has read how far, are put before everything of here, in the order of their ids.
 */
export async function adoptRestored(): Promise<void> {
  const { rowCount } = await db.execute(sql`update events set xid = ${RESTORED}::xid8 where xid >= ${nextTransaction}`);
  await db.execute(sql`update event_readers set xid = ${RESTORED}::xid8 where xid > ${nextTransaction}`);
  if (rowCount) log.warn({ events: rowCount }, "events of a restored database were put at the beginning of the log");
}
