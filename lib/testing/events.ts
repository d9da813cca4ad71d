import { asc, eq } from "drizzle-orm";
import { db, events } from "../db";

export type Written = { type: string; data: { [field: string]: unknown } };

/** What was written of an owner's things, oldest first. */
export async function eventsOf(ownerId: string): Promise<Written[]> {
  const rows = await db
    .select({ type: events.type, data: events.data })
    .from(events)
    .where(eq(events.ownerId, ownerId))
    .orderBy(asc(events.xid), asc(events.id));
  return rows.map(({ type, data }) => ({ type, data: { ...(data as object) } }));
}
