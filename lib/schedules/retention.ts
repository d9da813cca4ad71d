import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { dbOrTransaction, publishAttempts } from "../db";
import { deleteOldRows, type Log } from "../db/delete-old";
import { RETENTION_LOOP_LOCK } from "../db/locks";
import { statement, value } from "../db/statement";
import { env } from "../env";
import type { Loop } from "../jobs";
import { log } from "../log";
import { deleteUnneededCalls } from "./publish/lookup";

// Deletes finished schedules and attempts by their age, if the operator has set a limit. No event reports it, because no person
// deleted anything. Publishing needs some rows longer than a person does:
// - A publication that is still looked up, or that waits for another attempt, has a due time. Its schedule is kept.
// - The lookup of a lost call must know every post that looks the same (ADR 26). The calls of deleted posts are remembered until
//   no lookup needs them (ADR 47).
// Everything else that publishing remembers of a finished schedule counts for a day at most (the quota of a day, duplicates),
// and the least limit is 30 days. Attempts are read only to show them.

const EVERY_MS = 3_600_000;
/** Small enough that no statement holds its row locks for long. A schedule has many rows in other tables. */
const SCHEDULES = 200;

const FINISHED = sql.raw("('COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED')");
const limitAge = sql`now() - make_interval(days => ${value("days", "int")})`;

/**
 * `offset 0` makes PostgreSQL check each schedule by index, instead of reading all due publications and steps at once. The posts
 * that are deleted are counted for the partner's usage, in the month in which they were created.
 */
const deleteFinished = statement<{ days: number }, { count: number }>(
  "schedules.delete-finished",
  sql`
  with finished as materialized (
    select s.id, s.owner_id, s.created_at from schedules s
    where s.status in ${FINISHED} and s.updated_at < ${limitAge}
      and not exists (select from publications p where p.schedule_id = s.id and p.due_at is not null offset 0)
    order by s.updated_at limit ${sql.raw(String(SCHEDULES))} for update skip locked
  ), counted as (
    insert into partner_calls as c (partner_id, month, calls, deleted_posts)
    select u.partner_id, date_trunc('month', f.created_at at time zone 'UTC')::date, 0, count(*)
    from finished f join users u on u.id = f.owner_id and u.partner_id is not null
      join publications p on p.schedule_id = f.id join posts q on q.publication_id = p.id
    group by 1, 2 order by 1, 2
    on conflict (partner_id, month) do update set deleted_posts = c.deleted_posts + excluded.deleted_posts
  ), deleted as (
    delete from schedules where id in (select id from finished) returning id
  )
  select count(*)::int as count from deleted`,
);

const attemptLog: Log = { table: sql`${publishAttempts}`, key: { id: "bigint" }, time: "ended_at" };

/** How long finished schedules and attempts are kept, in days. Undefined: as long as their owner keeps them. */
export type Retention = { schedulesDays?: number; attemptsDays?: number };

/** Deletes what is older than the limits, in batches. Returns the number of schedules and attempts. */
export async function deleteExpired(
  { schedulesDays, attemptsDays }: Retention = env.retention,
  signal?: AbortSignal,
): Promise<{ schedules: number; attempts: number }> {
  const attempts = attemptsDays === undefined ? 0 : await deleteOldRows(attemptLog, attemptsDays, { signal });
  let [schedules, count] = [0, SCHEDULES];
  for (; schedulesDays !== undefined && count === SCHEDULES && !signal?.aborted; schedules += count)
    count = (await deleteFinished(dbOrTransaction, { days: schedulesDays }))[0]?.count ?? 0;
  return { attempts, schedules };
}

/** Runs once an hour, in one process at a time. */
export const retentionLoop: Loop = {
  name: "retention",
  lock: RETENTION_LOOP_LOCK,
  async turn(signal) {
    const deleted = await deleteExpired(env.retention, signal);
    if (deleted.schedules + deleted.attempts > 0) log.info(deleted, "old schedules and attempts were deleted");
    await deleteUnneededCalls(signal);
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};
