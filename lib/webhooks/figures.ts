import { sql } from "drizzle-orm";
import { db } from "../db";
import { defineGauges } from "../metrics";

/** Deliveries that are counted at most. */
const COUNTED = 10_000;

/** The figures of events and webhooks for `/metrics`. Each query reads an index and a limited number of rows. */
defineGauges(
  {
    carillon_event_reader_lag_seconds: {
      help: "The age of the oldest event that a reader of the event log has not handled.",
      labelNames: ["reader"],
    },
    carillon_webhook_deliveries_pending: {
      help: `Webhook deliveries that are due or wait for another attempt. At most ${COUNTED} are counted.`,
    },
  },
  async () => {
    const [lags, pending] = await Promise.all([
      db.execute<{ reader: string; value: number }>(sql`
        select r.name as reader, coalesce(extract(epoch from now() - (select e.created_at from events e
          where (e.xid, e.id) > (r.xid, r.id) order by e.xid, e.id limit 1)), 0)::float8 as value
        from event_readers r`),
      db.execute<{ value: number }>(
        sql`select count(*)::int as value from (select from webhook_deliveries where due_at is not null limit ${COUNTED}) d`,
      ),
    ]);
    return {
      carillon_event_reader_lag_seconds: lags.rows.map(({ reader, value }) => ({
        labels: { reader },
        value: Math.max(0, value),
      })),
      carillon_webhook_deliveries_pending: pending.rows,
    };
  },
);
