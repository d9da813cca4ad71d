import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "../db";
import { log } from "../log";
import { isEventOf, type Subscriber } from "./endpoints";
import type { WrittenEvent } from "./types";

/** SQL: the id of the next transaction; nothing that was committed here has it, or a higher one. */
const nextTransaction = sql`pg_snapshot_xmax(pg_current_snapshot())`;
/** Where the log of another database begins in this one. */
const RESTORED_XID = "1";

/**
 * A dump that was restored into another cluster brings transaction ids that are in its future, and would not be shown before
 * those are reached. Such events, and who has read how far, are put before everything of here, in the order of their ids.
 */
export async function moveRestoredEvents(): Promise<void> {
  const { rowCount } = await db.execute(
    sql`update events set xid = ${RESTORED_XID}::xid8 where xid >= ${nextTransaction}`,
  );
  await db.execute(sql`update event_readers set xid = ${RESTORED_XID}::xid8 where xid > ${nextTransaction}`);
  if (rowCount) log.warn({ events: rowCount }, "events of a restored database were put at the beginning of the log");
}

/**
 * SQL about a row `e` of events: it has its final place in the log. Every transaction that could still write one before it
 * has ended, because those that are under way, and all to come, have higher ids (`pg_snapshot_xmin`).
 */
export const isSettled: SQL = sql`e.xid < pg_snapshot_xmin(pg_current_snapshot())`;

/** SQL: the fields of a `WrittenEvent`, of a row `e` of events and its owner's row `u` of users. */
export const writtenEvent: SQL = sql`
  e.xid::text as xid, e.id::float8 as id, e.owner_id as "ownerId", e.partner_id as "partnerId",
  u.external_user_id as "externalUserId", e.type, e.data, e.created_at::text as "createdAt"`;

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
  const place = sql`case when ${xid} > ${nextTransaction} then ${RESTORED_XID}::xid8 else ${xid} end, ${id}`;
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

/**
 * Removes every event that shows something of these accounts, with its deliveries: a person of a network had what we hold
 * of them removed.
 */
export async function eraseEventsOf(tx: Tx, accountIds: number[]): Promise<void> {
  const ids = sql`${sql.param(accountIds)}::bigint[]`;
  await tx.execute(sql`
    delete from events e using accounts a
    where a.id = any(${ids}) and e.owner_id = a.owner_id and (
      e.type like 'account.%' and (e.data ->> 'id')::bigint = a.id
      or e.type like 'publication.%' and (e.data ->> 'socialMediaAccountId')::bigint = a.id
      or e.type like 'post.%' and exists (
        select from json_array_elements(e.data -> 'publications') p where (p ->> 'socialMediaAccountId')::bigint = a.id))`);
}

/** The log from its end: what happened before a place, or last, and where what is older ends. */
export async function listNewestEvents(
  subscriber: Subscriber,
  { before, limit }: { before?: Readonly<LogPlace>; limit: number },
): Promise<{ items: WrittenEvent[]; next?: LogPlace }> {
  const older = before ? sql`(e.xid, e.id) < (${before[0]}::xid8, ${before[1]}::bigint)` : sql`true`;
  const { rows } = await db.execute<WrittenEvent & { [column: string]: unknown }>(sql`
    select ${writtenEvent} from events e join users u on u.id = e.owner_id
    where ${isEventOf(subscriber)} and ${older} and ${isSettled}
    order by e.xid desc, e.id desc limit ${limit + 1}`);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && rows.length > limit ? [last.xid, last.id] : undefined };
}
