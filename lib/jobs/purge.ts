import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import {
  connectAttempts,
  connectTraces,
  db,
  events,
  grants,
  idempotencyKeys,
  requestLog,
  webhookDeliveries,
} from "../db";
import { log } from "../log";
import type { Loop } from "./runner";

const EVERY_MS = 3_600_000;
/** Few enough that no statement holds its rows for long. */
const BATCH = 1_000;

type Purge = { name: string; table: SQL; past: SQL };

/**
 * What nothing asks for any more. Codes and refresh tokens go with their grant, a day after its end: until then a spent one
 * that comes again is seen. A connect attempt outlives every state that could open it again; what became of it is told for 30 days.
 */
const purges: Purge[] = [
  { name: "idempotency keys", table: sql`${idempotencyKeys}`, past: sql`created_at < now() - interval '24 hours'` },
  { name: "connect attempts", table: sql`${connectAttempts}`, past: sql`expires_at < now() - interval '1 day'` },
  // With their deliveries; a test's reports no event.
  { name: "events", table: sql`${events}`, past: sql`created_at < now() - interval '30 days'` },
  {
    name: "webhook tests",
    table: sql`${webhookDeliveries}`,
    past: sql`event_id is null and created_at < now() - interval '30 days'`,
  },
  { name: "connect traces", table: sql`${connectTraces}`, past: sql`started_at < now() - interval '30 days'` },
  { name: "requests", table: sql`${requestLog}`, past: sql`at < now() - interval '7 days'` },
  { name: "grants", table: sql`${grants}`, past: sql`expires_at < now() - interval '1 day'` },
];

/** Removes rows that are past their life, a batch at a time; answers how many of each. */
export async function purgeExpired(signal?: AbortSignal): Promise<{ [name: string]: number }> {
  const removed: { [name: string]: number } = {};
  for (const { name, table, past } of purges) {
    let count: number;
    do {
      const { rowCount } = await db.execute(sql`
        delete from ${table} where ctid in (select ctid from ${table} where ${past} limit ${BATCH} for update skip locked)`);
      count = rowCount ?? 0;
      removed[name] = (removed[name] ?? 0) + count;
    } while (count === BATCH && !signal?.aborted);
  }
  return removed;
}

/** Once an hour, in one process of all. */
export const purgeLoop: Loop = {
  name: "rows past their life",
  lock: 9_500,
  async turn(signal) {
    const removed = await purgeExpired(signal);
    if (Object.values(removed).some((count) => count > 0)) log.info({ removed }, "rows past their life were removed");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};
