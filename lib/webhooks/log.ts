import { sql } from "drizzle-orm";
import { db } from "../db";
import { isSettled, writtenEvent } from "./read";
import { nextTransaction, RESTORED } from "./restored";
import { isEventOf, type Subscriber } from "./subscriber";
import type { WrittenEvent } from "./types";

/** A place in the log: after the event with these numbers. */
export type LogPlace = [xid: string, id: number];

const BEGINNING: LogPlace = ["0", 0];

/**
 * What happened after a place, oldest first, and the place to go on from. An event never appears before a place that was
 * given: what could still come before something is not shown yet.
 */
export async function readLog(
  subscriber: Subscriber,
  { since = BEGINNING, limit }: { since?: LogPlace; limit: number },
): Promise<{ items: WrittenEvent[]; place: LogPlace; hasMore: boolean }> {
  const [xid, id] = [sql`${since[0]}::xid8`, sql`${since[1]}::bigint`];
  // A place of before the database was restored elsewhere is one among what was restored.
  const place = sql`case when ${xid} > ${nextTransaction} then ${RESTORED}::xid8 else ${xid} end, ${id}`;
  const { rows } = await db.execute<WrittenEvent & { [column: string]: unknown }>(sql`
    select ${writtenEvent} from events e join users u on u.id = e.owner_id
    where ${isEventOf(subscriber)} and (e.xid, e.id) > (${place}) and ${isSettled}
    order by e.xid, e.id limit ${limit + 1}`);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, place: last ? [last.xid, last.id] : since, hasMore: rows.length > limit };
}

/** The place after which everything that is not in the log yet will stand. */
export async function endOfLog(): Promise<LogPlace> {
  const { rows } = await db.execute<{ xid: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
  return [rows[0]?.xid ?? "0", 0];
}
