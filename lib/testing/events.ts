import { and, asc, eq, sql } from "drizzle-orm";
import { expect, vi } from "vitest";
import { db, events } from "../db";

export type Written = { type: string; data: { [field: string]: unknown } };

/** Returns an owner's events from the database, oldest first. */
export async function eventsOf(ownerId: string): Promise<Written[]> {
  const rows = await db
    .select({ type: events.type, data: events.data })
    .from(events)
    .where(eq(events.ownerId, ownerId))
    .orderBy(asc(events.xid), asc(events.id));
  return rows.map(({ type, data }) => ({ type, data: { ...(data as object) } }));
}

/**
 * Waits until the log shows all events written so far for an owner. The log hides events while an older transaction is open,
 * and other test files leave some open for a while.
 */
export async function shown(ownerId: string): Promise<void> {
  const hidden = and(eq(events.ownerId, ownerId), sql`${events.xid} >= pg_snapshot_xmin(pg_current_snapshot())`);
  await vi.waitFor(async () => expect(await db.$count(events, hidden)).toBe(0), { timeout: 45_000 });
}
