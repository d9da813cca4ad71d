import { type SQL, sql } from "drizzle-orm";
import { db } from "./index";

/** Small enough that no statement holds its row locks for long. */
const PAGE = 1_000;

/**
 * A table to which rows are only added, so that its keys ascend with time. `key` contains the columns of the key with their types,
 * and `time` is the column from which a row's age follows.
 */
export type Log = { table: SQL; key: { [column: string]: string }; time: string };

/**
 * Deletes the rows of a log that are older than this number of days, in pages from its beginning, until a page has none. It thus
 * reads few other rows and needs no index on the time. Returns the number of deleted rows.
 * @param inTransaction what each page's transaction does first
 */
export async function deleteOldRows(
  { table, key, time }: Log,
  days: number,
  { signal, inTransaction }: { signal?: AbortSignal; inTransaction?: SQL } = {},
): Promise<number> {
  const columns = sql.raw(Object.keys(key).join(", "));
  const texts = sql.raw(
    Object.keys(key)
      .map((column) => `${column}::text`)
      .join(", "),
  );
  const last = (values: string[]) =>
    sql.join(
      Object.values(key).map((type, index) => sql`${values[index]}::${sql.raw(type)}`),
      sql`, `,
    );
  let removed = 0;
  let after: string[] | undefined;
  for (;;) {
    const deleted = await db.transaction(async (tx) => {
      if (inTransaction) await tx.execute(inTransaction);
      const { rows } = await tx.execute<{ count: number; last: string[] | null }>(sql`
        with page as materialized (
          select ${columns}, ${sql.raw(time)} < now() - make_interval(days => ${days}) as is_old from ${table}
          ${after ? sql`where (${columns}) > (${last(after)})` : sql``} order by ${columns} limit ${PAGE}
        ), deleted as (
          delete from ${table} where (${columns}) in (select ${columns} from page where is_old) returning 1
        )
        select (select count(*)::int from deleted) as count,
          (select array[${texts}] from page order by (${columns}) desc limit 1) as last`);
      return rows[0];
    });
    removed += deleted?.count ?? 0;
    if (!deleted?.count || !deleted.last || signal?.aborted) return removed;
    after = deleted.last;
  }
}
