import type pg from "pg";
import { DAY_PARTITIONS_LOCK } from "./locks";

// Tables with a partition for each day in UTC (ADR 36). Partitions are created days ahead, and an old one is dropped as a whole,
// which takes no time however many rows it has. A row whose day has no partition is stored in the default one, so no insert
// fails; such a row is later deleted by its age.

/** Its primary key is (`id`, `at`), and `at` determines the partition. */
type DayTable = { name: string; keptDays: number };

const dayTables: DayTable[] = [{ name: "request_log", keptDays: 7 }];

const DAYS_AHEAD = 7;
const BATCH = 1_000;
/** Everything that uses the table waits behind a statement that waits for its lock. */
const LOCK_TIMEOUT = "500ms";
const LOCK_NOT_AVAILABLE = "55P03";

type Connection = Pick<pg.ClientBase, "query">;

/** Creates the partitions of today and the next days. Returns their names. If a table is locked, the next call creates them. */
export async function addDayPartitions(client: Connection, daysAhead = DAYS_AHEAD): Promise<string[]> {
  const added: string[] = [];
  for (const { name } of dayTables) {
    const { rows } = await client.query("select to_regclass($1) is not null as found", [`${name}_default`]);
    if (!rows[0]?.found) continue; // the table has no partitions yet
    await ifUnlocked(client, async () => {
      await client.query("select pg_advisory_xact_lock($1)", [DAY_PARTITIONS_LOCK]);
      for (const { day, from, to } of await missingDays(client, name, daysAhead)) {
        const partition = `${name}_${day}`;
        // Attaching takes a weaker lock than creating a partition in one step.
        await client.query(`create table "${partition}" (like ${name} including defaults)`);
        await client.query(
          `alter table ${name} attach partition "${partition}" for values from ('${from}') to ('${to}')`,
        );
        added.push(partition);
      }
    });
  }
  return added;
}

type Day = { day: string; from: string; to: string };

/** The days after the last partition, without those that have rows in the default partition. */
async function missingDays(client: Connection, table: string, daysAhead: number): Promise<Day[]> {
  const { rows } = await client.query<Day>(
    `with newest as (select max(until) as until from (${PARTITIONS}) p)
     select to_char(day, 'YYYYMMDD') as day, to_char(day, 'YYYY-MM-DD') || ' 00:00+00' as "from",
       to_char(day + interval '1 day', 'YYYY-MM-DD') || ' 00:00+00' as "to"
     from newest, generate_series(date_trunc('day', now() at time zone 'UTC'),
       date_trunc('day', now() at time zone 'UTC') + make_interval(days => $2), interval '1 day') day
     where (until is null or day >= until at time zone 'UTC') and not exists (
       select from ${table}_default where at >= day at time zone 'UTC' and at < (day + interval '1 day') at time zone 'UTC')
     order by day`,
    [table, daysAhead],
  );
  return rows;
}

/** The partitions of a table ($1) with their ends. The default one has no end, and the first one no beginning. */
const PARTITIONS = `select name, bound ~ '^FOR VALUES FROM \\(''' as is_of_one_day,
    (regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as until
  from (select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1)) b`;

/**
 * Deletes rows that are too old: drops their partitions, and deletes the rows of partitions that have more than one day. Returns
 * the names of the partitions and the number of rows. If a table is locked, the next call drops its partitions.
 */
export async function deleteOldDays(
  client: Connection,
  signal?: AbortSignal,
): Promise<{ partitions: string[]; rows: number }> {
  const partitions: string[] = [];
  let removed = 0;
  for (const { name: table, keptDays } of dayTables) {
    const { rows } = await client.query<{ name: string; isOld: boolean; isOfOneDay: boolean }>(
      `select name, coalesce(until <= now() - make_interval(days => $2), false) as "isOld", is_of_one_day as "isOfOneDay"
       from (${PARTITIONS}) p order by until`,
      [table, keptDays],
    );
    for (const { name } of rows.filter(({ isOld }) => isOld)) {
      if (await ifUnlocked(client, () => client.query(`drop table "${name}"`))) partitions.push(name);
    }
    for (const { name } of rows.filter(({ isOld, isOfOneDay }) => !isOld && !isOfOneDay)) {
      let count: number;
      do {
        const { rowCount } = await client.query(
          `delete from "${name}" where (id, at) in
             (select id, at from "${name}" where at < now() - make_interval(days => $1) limit ${BATCH})`,
          [keptDays],
        );
        count = rowCount ?? 0;
        removed += count;
      } while (count === BATCH && !signal?.aborted);
    }
  }
  return { partitions, rows: removed };
}

/** Runs statements in a transaction. Returns false if they need a lock that is not free soon. */
async function ifUnlocked(client: Connection, work: () => Promise<unknown>): Promise<boolean> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    await work();
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback");
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}
