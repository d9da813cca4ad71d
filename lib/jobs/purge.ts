import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import {
  auditLog,
  connectAttempts,
  connectSessions,
  connectTraces,
  db,
  dedicatedConnection,
  deletedPublications,
  events,
  grants,
  idempotencyKeys,
  rateLimits,
  webhookDeliveries,
} from "../db";
import { addDayPartitions, deleteOldDays } from "../db/days";
import { deleteOldRows, type Log } from "../db/delete-old";
import { PURGE_LOOP_LOCK } from "../db/locks";
import { env } from "../env";
import { log } from "../log";
import type { Loop } from "./runner";

const INTERVAL_MS = 3_600_000;
/** Small enough that no statement holds its row locks for long. */
const BATCH = 1_000;
const INSUFFICIENT_PRIVILEGE = "42501";

type Purge = { name: string; table: SQL; key: string; expired: SQL };

/**
 * Rows that are no longer needed. Codes and refresh tokens are deleted with their grant, a day after it expires: until then,
 * their reuse can be detected. A connect attempt is kept longer than any state that could reopen it, and its trace for 30 days.
 */
const purges: Purge[] = [
  {
    ...{ name: "idempotency keys", table: sql`${idempotencyKeys}`, key: "owner_id, route, key" },
    expired: sql`created_at < now() - interval '24 hours'`,
  },
  {
    ...{ name: "connect attempts", table: sql`${connectAttempts}`, key: "id" },
    expired: sql`expires_at < now() - interval '1 day'`,
  },
  {
    ...{ name: "connect sessions", table: sql`${connectSessions}`, key: "id" },
    expired: sql`expires_at < now() - interval '1 day'`,
  },
  {
    ...{ name: "deleted publications", table: sql`${deletedPublications}`, key: "owner_id, day" },
    expired: sql`day < now() - interval '2 days'`,
  },
  // The delivery of a webhook test has no event.
  {
    ...{ name: "webhook tests", table: sql`${webhookDeliveries}`, key: "id" },
    expired: sql`event_id is null and created_at < now() - interval '30 days'`,
  },
  {
    ...{ name: "connect traces", table: sql`${connectTraces}`, key: "id" },
    expired: sql`started_at < now() - interval '30 days'`,
  },
  { name: "rate limits", table: sql`${rateLimits}`, key: "key", expired: sql`ends_at < now()` },
  { name: "grants", table: sql`${grants}`, key: "id", expired: sql`expires_at < now() - interval '1 day'` },
];

/** Deleting an event deletes its deliveries with their attempts. */
const eventLog: Log = { table: sql`${events}`, key: { xid: "xid8", id: "bigint" }, time: "created_at" };
const EVENT_DAYS = 30;

const auditLines: Log = { table: sql`${auditLog}`, key: { id: "bigint" }, time: "at" };
/** The trigger of the audit log lets a transaction with this setting delete lines that are older than a year. */
const allowAuditRetention = sql`select set_config('carillon.audit_retention', 'on', true)`;

/**
 * Deletes expired rows in batches. Returns the number of deleted rows by name.
 * @param auditDays how long lines of the audit log are kept. Undefined: forever
 */
export async function purgeExpired(
  signal?: AbortSignal,
  auditDays: number | undefined = env.retention.auditDays,
): Promise<{ [name: string]: number }> {
  const removed: { [name: string]: number } = {};
  for (const { name, table, key, expired } of purges) {
    const columns = sql.raw(key);
    let count: number;
    do {
      const { rowCount } = await db.execute(sql`
        delete from ${table} where (${columns}) in
          (select ${columns} from ${table} where ${expired} limit ${BATCH} for update skip locked)`);
      count = rowCount ?? 0;
      removed[name] = (removed[name] ?? 0) + count;
    } while (count === BATCH && !signal?.aborted);
  }
  removed.events = await deleteOldRows(eventLog, EVENT_DAYS, { signal });
  const { partitions, rows } = await purgeDays(signal);
  removed.requests = rows;
  removed["days of requests"] = partitions.length;
  if (auditDays !== undefined) removed["audit log"] = await purgeAuditLog(auditDays, signal);
  return removed;
}

/** Changes partitions, so it needs a connection that leads to PostgreSQL itself. */
async function purgeDays(signal?: AbortSignal): Promise<{ partitions: string[]; rows: number }> {
  const client = await dedicatedConnection("partitions");
  try {
    await addDayPartitions(client);
    return await deleteOldDays(client, signal);
  } finally {
    await client.end();
  }
}

async function purgeAuditLog(days: number, signal?: AbortSignal): Promise<number> {
  try {
    return await deleteOldRows(auditLines, days, { signal, inTransaction: allowAuditRetention });
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    log.warn("lines of the audit log are not deleted, because it belongs to another database role");
    return 0;
  }
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
