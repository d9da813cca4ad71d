import { sql } from "drizzle-orm";
import { feedback, schedules, type Tx } from "../db";

/** Keeps on the schedule whether somebody wants it changed, so that lists need not look for it. */
export async function markChanges(tx: Tx, scheduleId: number): Promise<void> {
  await tx.execute(sql`
    update ${schedules} set changes_requested = exists (
      select from ${feedback} f where f.schedule_id = ${scheduleId} and f.verdict = 'CHANGES_REQUESTED' and f.closed_at is null)
    where id = ${scheduleId}`);
}

/** Wakes the dashboards of a person when this is stored: they ask for the rest themselves. */
export async function tellLive(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_notify('feedback', ${ownerId})`);
}
