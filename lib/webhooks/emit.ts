import { sql } from "drizzle-orm";
import type { Tx } from "../db";
import { statement, value } from "../db/statement";
import type { NewEvent } from "./types";

const write = statement<{ events: string }, never>(
  "events.write",
  sql`
  insert into events (owner_id, partner_id, type, data)
  select e.owner, u.partner_id, e.type, e.data
  from rows from (json_to_recordset(${value("events", "json")}) as ("ownerId" uuid, type text, data json))
      with ordinality as e(owner, type, data, place)
    join users u on u.id = e.owner and u.rehearses is null order by e.place`,
);

/** Writes what happened, in the transaction in which it does: both are true or neither is. A rehearsal is no fact. */
export async function emit(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length > 0) await write(tx, { events: JSON.stringify(events) });
}
