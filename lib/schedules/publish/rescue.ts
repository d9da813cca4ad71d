import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "../../db";
import { RESCUE_LOOP_LOCK } from "../../db/locks";
import type { Loop } from "../../jobs";
import { log } from "../../log";

const EVERY_MS = 5_000;
const OVERDUE_SECONDS = 10;

/**
 * Looks every few seconds, in one process at a time, for unfinished publications that are not due. There should be none; this
 * is the safety net that no publication stays behind whatever went wrong.
 */
export const rescueLoop: Loop = {
  name: "rescue of publications",
  lock: RESCUE_LOOP_LOCK,
  async turn(signal) {
    const woken = await rescuePublications();
    if (woken > 0) log.warn({ woken }, "unfinished publications were not due; they are due now");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

/**
 * Makes publications due whose scheduled time has passed and that have no due time. Returns how many there were.
 */
export async function rescuePublications(): Promise<number> {
  const { rows } = await db.execute(sql`
    update publications p set due_at = clock_timestamp() from schedules s
    where s.id = p.schedule_id and p.due_at is null
      and p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
      and s.scheduled_time < clock_timestamp() - make_interval(secs => ${OVERDUE_SECONDS})
      and coalesce(p.claim_until < clock_timestamp() - make_interval(secs => ${OVERDUE_SECONDS}), true)
    returning p.id`);
  return rows.length;
}
