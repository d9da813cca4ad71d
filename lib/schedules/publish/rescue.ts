import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { dbOrTransaction } from "../../db";
import { RESCUE_LOOP_LOCK } from "../../db/locks";
import { statement, value } from "../../db/statement";
import type { Loop } from "../../jobs";
import { log } from "../../log";

const EVERY_MS = 5_000;
const OVERDUE_SECONDS = 10;
/** Rows without a due time that one turn reads. They are mostly drafts, whose number only grows. */
const PAGE = 5_000;

/**
 * Looks every few seconds, in one process at a time, for unfinished publications that are not due. There should be none; this
 * is the safety net that no publication stays behind whatever went wrong. Each turn continues where the last one ended.
 */
export const rescueLoop: Loop = {
  name: "rescue of publications",
  lock: RESCUE_LOOP_LOCK,
  async turn(signal) {
    const { woken, next } = await rescuePublications(position);
    position = next;
    if (woken > 0) log.warn({ woken }, "unfinished publications were not due; they are due now");
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

let position = 0;

const rescue = statement<{ after: number }, { woken: number; next: number }>(
  "publications.rescue",
  sql`
  with page as materialized (
    select id, schedule_id from publications
    where due_at is null and status in ('PENDING', 'IN_PROGRESS') and schedule_id > ${value("after", "bigint")}
    order by schedule_id limit ${sql.raw(String(PAGE))}
  ), woken as (
    update publications p set due_at = clock_timestamp() from page join schedules s on s.id = page.schedule_id
    where p.id = page.id and p.due_at is null
      and p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
      and s.scheduled_time < clock_timestamp() - interval '${sql.raw(String(OVERDUE_SECONDS))} seconds'
      and coalesce(p.claim_until < clock_timestamp() - interval '${sql.raw(String(OVERDUE_SECONDS))} seconds', true)
    returning p.id
  )
  select (select count(*) from woken)::int as woken,
    case when (select count(*) from page) < ${sql.raw(String(PAGE))} then 0 else (select max(schedule_id) - 1 from page) end::float8 as next`,
);

/**
 * Makes publications due whose scheduled time has passed and that have no due time. It reads one page of those without a due
 * time, from the schedule `after` on. Returns how many it made due, and where the next page begins: 0 after the last one.
 */
export async function rescuePublications(after = 0): Promise<{ woken: number; next: number }> {
  const [result] = await rescue(dbOrTransaction, { after });
  return result ?? { woken: 0, next: 0 };
}
