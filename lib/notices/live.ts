import { sql } from "drizzle-orm";
import { defineReader } from "../webhooks";

/**
 * Announces whose things something has happened to, for the web processes that have their dashboards open. Off the way of
 * what happens, and after its place in the log is settled: whoever is woken finds it there. A batch's owners fit into one
 * notice (8,000 bytes).
 */
export const liveReader = defineReader({
  name: "live",
  async take(tx, events) {
    const owners = [...new Set(events.filter(({ partnerId }) => partnerId === null).map(({ ownerId }) => ownerId))];
    if (owners.length > 0) await tx.execute(sql`select pg_notify('live', ${owners.join(",")})`);
  },
});
