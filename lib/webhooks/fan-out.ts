import { sql } from "drizzle-orm";
import type { Tx } from "../db";
import { statement, value } from "../db/statement";
import { failPoint } from "../jobs/fail-point";
import { defineReader } from "./reader";
import type { WrittenEvent } from "./types";

const address = statement<{ events: string }, never>(
  "webhooks.address",
  sql`
  insert into webhook_deliveries (endpoint_id, event_xid, event_id, due_at)
  select w.id, e.xid, e.id, clock_timestamp()
  from jsonb_to_recordset(${value("events", "jsonb")})
      as e(xid xid8, id bigint, type text, "ownerId" uuid, "partnerId" uuid, "createdAt" timestamptz)
    join webhook_endpoints w on w.owner_id = e."ownerId" or w.partner_id = e."partnerId"
  where w.disabled_at is null and w.created_at <= e."createdAt" and e.type = any(w.events)
  on conflict do nothing`,
);

/** Makes a delivery of each event for each endpoint that wants it. */
export const fanOut = defineReader({
  name: "webhooks",
  async take(tx: Tx, events: WrittenEvent[]) {
    await address(tx, { events: JSON.stringify(events.map(({ data: _, ...event }) => event)) });
    await failPoint("addressed");
  },
});
