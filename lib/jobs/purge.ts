import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import {
  auditLog,
  connectAttempts,
  connectTraces,
  db,
  events,
  grants,
  idempotencyKeys,
  rateLimits,
  requestLog,
  webhookDeliveries,
} from "../db";
import { PURGE_LOOP_LOCK } from "../db/locks";
import { env } from "../env";
import { log } from "../log";
import type { Loop } from "./runner";

const INTERVAL_MS = 3_600_000;
/** Small enough that no statement holds its row locks for long. */
const BATCH = 1_000;
const INSUFFICIENT_PRIVILEGE = "42501";

type Purge = { name: string; table: SQL; expired: SQL };

/**
 * Rows that are no longer needed. Codes and refresh tokens are deleted with their grant, a day after it expires: until then,
 * their reuse can be detected. A connect attempt is kept longer than any state that could reopen it, and its trace for 30 days.
 */
const purges: Purge[] = [
  { name: "idempotency keys", table: sql`${idempotencyKeys}`, expired: sql`created_at < now() - interval '24 hours'` },
  { name: "connect attempts", table: sql`${connectAttempts}`, expired: sql`expires_at < now() - interval '1 day'` },
  // Deleting an event deletes its deliveries. The delivery of a webhook test has no event.
  { name: "events", table: sql`${events}`, expired: sql`created_at < now() - interval '30 days'` },
  {
    name: "webhook tests",
    table: sql`${webhookDeliveries}`,
    expired: sql`event_id is null and created_at < now() - interval '30 days'`,
  },
  { name: "connect traces", table: sql`${connectTraces}`, expired: sql`started_at < now() - interval '30 days'` },
  { name: "requests", table: sql`${requestLog}`, expired: sql`at < now() - interval '7 days'` },
  { name: "rate limits", table: sql`${rateLimits}`, expired: sql`ends_at < now()` },
  { name: "grants", table: sql`${grants}`, expired: sql`expires_at < now() - interval '1 day'` },
];

/**
 * Deletes expired rows in batches. Returns the number of deleted rows by name.
 * @param auditDays how long lines of the audit log are kept. Undefined: forever
 */
export async function purgeExpired(
  signal?: AbortSignal,
  auditDays: number | undefined = env.retention.auditDays,
): Promise<{ [name: string]: number }> {
  const removed: { [name: string]: number } = {};
  for (const { name, table, expired } of purges) {
    let count: number;
    do {
      const { rowCount } = await db.execute(sql`
        delete from ${table} where ctid in (select ctid from ${table} where ${expired} limit ${BATCH} for update skip locked)`);
      count = rowCount ?? 0;
      removed[name] = (removed[name] ?? 0) + count;
    } while (count === BATCH && !signal?.aborted);
  }
  if (auditDays !== undefined) removed["audit log"] = await purgeAuditLog(auditDays, signal);
  return removed;
}

/**
 * Lines are stored in the order of their IDs, so the oldest ones are found without an index of their times. The trigger of the
 * table allows this for lines that are older than a year, if the transaction has the setting.
 */
async function purgeAuditLog(days: number, signal?: AbortSignal): Promise<number> {
  let [removed, count] = [0, 0];
  do {
    try {
      count = await db.transaction(async (tx) => {
        await tx.execute(sql`select set_config('carillon.audit_retention', 'on', true)`);
        const { rowCount } = await tx.execute(sql`
          with page as materialized (select id, at from ${auditLog} order by id limit ${BATCH})
          delete from ${auditLog} where id in (select id from page where at < now() - make_interval(days => ${days}))`);
        return rowCount ?? 0;
      });
    } catch (error) {
      if (!isNotAllowed(error)) throw error;
      log.warn("lines of the audit log are not deleted, because it belongs to another database role");
      return removed;
    }
    removed += count;
  } while (count === BATCH && !signal?.aborted);
  return removed;
}

function isNotAllowed(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === INSUFFICIENT_PRIVILEGE;
}

/** Runs once an hour, in one process at a time. */
export const purgeLoop: Loop = {
  name: "purge",
  lock: PURGE_LOOP_LOCK,
  async turn(signal) {
    const removed = await purgeExpired(signal);
    if (Object.values(removed).some((count) => count > 0)) log.info({ removed }, "expired rows were deleted");
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
  },
};
