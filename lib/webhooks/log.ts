import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "../db";
import { EVENT_MOVE_LOCK } from "../db/locks";
import { MAX_CHARACTERS, shortenPage } from "../http/page-size";
import { log } from "../log";
import { isEventOf, type Subscriber } from "./endpoints";
import type { WrittenEvent } from "./types";

/** SQL: the ID of the next transaction. Nothing committed in this cluster has this ID or a higher one. */
const nextTransaction = sql`pg_snapshot_xmax(pg_current_snapshot())`;
/** The transaction ID given to events that were restored from another cluster. */
const RESTORED_XID = "1";

/**
 * A dump restored into another cluster contains transaction IDs that are in the future there. Such events would stay hidden
 * until the cluster reaches those IDs. This moves them, and the readers' positions, before all events of this cluster. The
 * event IDs keep their order.
 */
export async function moveRestoredEvents(): Promise<void> {
  let moved = 0;
  for (let count = 1; count > 0; moved += count) count = await moveBatch();
  // Only now: a reader continues where it was, which is a position among the moved events.
  await db.execute(sql`update event_readers set xid = ${RESTORED_XID}::xid8 where xid > ${nextTransaction}`);
  if (moved > 0) log.warn({ events: moved }, "events of a restored database were moved to the beginning of the log");
}

/** Small enough for the time limit of a statement, also on a slow disk. */
const MOVE_BATCH = 5_000;

/**
 * Moves the next events, found by the primary key, and commits. The moved rows themselves are the cursor: they no longer have
 * an ID in the future, so a process that continues after a kill starts with the first row that is left. Deliveries follow
 * their events. One process at a time moves a batch, so that every process waits until no event is left.
 */
async function moveBatch(): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${EVENT_MOVE_LOCK})`);
    const { rowCount } = await tx.execute(sql`
      with next as materialized (select xid, id from events where xid >= ${nextTransaction} order by xid, id limit ${MOVE_BATCH})
      update events e set xid = ${RESTORED_XID}::xid8 from next where e.xid = next.xid and e.id = next.id`);
    return rowCount ?? 0;
  });
}

/**
 * SQL about a row `e` of events: its position in the log is final. Every transaction that could still write an earlier
 * event has ended, because running and future transactions have higher IDs (`pg_snapshot_xmin`).
 */
export const isSettled: SQL = sql`e.xid < pg_snapshot_xmin(pg_current_snapshot())`;

/** SQL: the fields of a `WrittenEvent`, from a row `e` of events and its owner's row `u` of users. */
export const writtenEvent: SQL = sql`
  e.xid::text as xid, e.id::float8 as id, e.owner_id as "ownerId", e.partner_id as "partnerId",
  u.external_user_id as "externalUserId", e.type, e.data, e.created_at::text as "createdAt"`;

/** A position in the log: after the event with these numbers. */
export type LogPlace = [xid: string, id: number];

const BEGINNING: LogPlace = ["0", 0];

/**
 * Returns the events after a position, oldest first, and the position to continue from. No event ever appears before a
 * position that was already returned: an event is hidden while an earlier one could still be committed. A page of very long
 * events has fewer than `limit`: the database sends at most `maxBytes` of their data, but at least one event.
 */
export async function readLog(
  subscriber: Subscriber,
  { since = BEGINNING, limit, maxBytes = MAX_CHARACTERS }: { since?: LogPlace; limit: number; maxBytes?: number },
): Promise<{ items: WrittenEvent[]; place: LogPlace; hasMore: boolean }> {
  const [xid, id] = [sql`${since[0]}::xid8`, sql`${since[1]}::bigint`];
  // A position from before a restore into another cluster lies among the restored events.
  const place = sql`case when ${xid} > ${nextTransaction} then ${RESTORED_XID}::xid8 else ${xid} end, ${id}`;
  const { rows } = await db.execute<MeasuredEvent>(sql`
    with page as (
      select ${writtenEvent}, row_number() over ahead as number, sum(octet_length(e.data::text)) over ahead as bytes
      from (
        select * from events e
        where ${isEventOf(subscriber)} and (e.xid, e.id) > (${place}) and ${isSettled}
        order by e.xid, e.id limit ${limit + 1}
      ) e join users u on u.id = e.owner_id
      window ahead as (order by e.xid, e.id)
    )
    select *, (select count(*) from page)::int as found from page where number = 1 or bytes <= ${maxBytes}
    order by number limit ${limit}`);
  const items = rows.map(({ number: _, bytes: __, found: ___, ...event }) => event);
  const last = items.at(-1);
  return { items, place: last ? [last.xid, last.id] : since, hasMore: (rows[0]?.found ?? 0) > items.length };
}

/** An event of a page with its number, the bytes up to it, and the number of events that were found. */
type MeasuredEvent = WrittenEvent & { number: unknown; bytes: unknown; found: number };

/** An event contains its schedule, which has up to 1 MB. */
function charactersOf({ data }: WrittenEvent): number {
  return JSON.stringify(data).length;
}

/** Returns the position after every event that is in the log now. */
export async function endOfLog(): Promise<LogPlace> {
  const { rows } = await db.execute<{ xid: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
  return [rows[0]?.xid ?? "0", 0];
}

/**
 * Deletes every event that shows data of these accounts, with its deliveries. Called when a person asks their network to
 * have their data deleted.
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

/** Reads the log backwards: the newest events, or those before a position, and the position to continue from. */
export async function listNewestEvents(
  subscriber: Subscriber,
  { before, limit }: { before?: Readonly<LogPlace>; limit: number },
): Promise<{ items: WrittenEvent[]; next?: LogPlace }> {
  const older = before ? sql`(e.xid, e.id) < (${before[0]}::xid8, ${before[1]}::bigint)` : sql`true`;
  const { rows } = await db.execute<WrittenEvent & { [column: string]: unknown }>(sql`
    select ${writtenEvent} from events e join users u on u.id = e.owner_id
    where ${isEventOf(subscriber)} and ${older} and ${isSettled}
    order by e.xid desc, e.id desc limit ${limit + 1}`);
  const items = shortenPage(rows.slice(0, limit), charactersOf);
  const last = items.at(-1);
  return { items, next: last && rows.length > items.length ? [last.xid, last.id] : undefined };
}
