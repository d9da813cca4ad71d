import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "../../db";
import type { Loop } from "../../jobs";
import { log } from "../../log";

const EVERY_MS = 5_000;
const FORGOTTEN_SECONDS = 10;

/** Looks every few seconds, in one process of all, for publications that nobody is going to look at. */
export const forgottenLoop: Loop = {
  name: "forgotten publications",
  lock: 9_000,
  async turn(signal) {
    const woken = await wakeForgotten();
    if (woken > 0) log.warn({ woken }, "publications that were unfinished were not due to anybody; they are now");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

/**
 * Makes publications due whose time has come and that have no other time to be looked at. There should be none; whatever
 * went wrong, none may stay behind.
 */
export async function wakeForgotten(): Promise<number> {
  const { rows } = await db.execute(sql`
    update publications p set due_at = clock_timestamp() from schedules s
    where s.id = p.schedule_id and p.due_at is null
      and p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
      and s.scheduled_time < clock_timestamp() - make_interval(secs => ${FORGOTTEN_SECONDS})
      and coalesce(p.claim_until < clock_timestamp() - make_interval(secs => ${FORGOTTEN_SECONDS}), true)
    returning p.id`);
  return rows.length;
}
