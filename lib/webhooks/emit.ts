/**
 * The only place that inserts events. `emit` is one statement of a transaction. A statement that stores more, such as the one
 * that creates a schedule, includes `insertingEvents` as one of its parts, so that it needs no extra round trip.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../db";
import { statement, value } from "../db/statement";
import type { NewEvent } from "./types";

/**
 * Inserts the events of `eventValues`, in their order, if `allowed` has exactly one row. Each event gets its owner's partner.
 */
export function insertingEvents(allowed: SQL): SQL {
  return sql`
    insert into events (owner_id, partner_id, type, data)
    select e.owner, u.partner_id, e.type, e.data
    from ${allowed}, rows from (json_to_recordset(${value("events", "json")}) as ("ownerId" uuid, type text, data json))
        with ordinality as e(owner, type, data, place)
      join users u on u.id = e.owner
    order by e.place`;
}

/** Returns the values that `insertingEvents` needs. */
export function eventValues(events: NewEvent[]): { events: string } {
  return { events: JSON.stringify(events) };
}

const write = statement<ReturnType<typeof eventValues>, never>("events.write", insertingEvents(sql`(select) always`));

/** Writes events in the transaction that makes them true, so that both are committed or neither is. */
export async function emit(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length > 0) await write(tx, eventValues(events));
}
