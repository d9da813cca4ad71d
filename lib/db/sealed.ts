import { type SQL, sql } from "drizzle-orm";
import { type KeyPurpose, keyIdsOf, seal, unseal } from "../secrets";
import { db } from "./index";

/**
 * A column with sealed values. Each value is bound to its table, row and column, so that a value that someone copies to another
 * place in the database cannot be read there.
 */
export type SealedColumn = {
  table: string;
  column: string;
  purpose: KeyPurpose;
  /** The SQL expression for the text that identifies the row. It must not change while the row has a sealed value. */
  row: string;
  /** A column of the type JSON, in which a sealed value is `{ "sealed": "<base64>" }`. Anything else is not sealed. */
  isJson?: true;
};

type Place = Pick<SealedColumn, "table" | "column">;
const placeOf = ({ table, column }: Place, row: string | number) => `${table}.${column} ${row}`;

/** Encrypts a text for one row of a column. @param row the value of the column's `row` */
export function sealFor(column: SealedColumn, row: string | number, text: string): Buffer {
  return seal(column.purpose, placeOf(column, row), text);
}

/**
 * Decrypts a value of a row.
 * @throws Error that names the place if the value was sealed for another row or column, was changed, or its key was removed
 */
export function unsealFrom(column: SealedColumn, row: string | number, sealed: Buffer): string {
  const place = placeOf(column, row);
  try {
    return unseal(column.purpose, place, sealed);
  } catch (cause) {
    throw new Error(`${place}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** How many values one statement reads. */
const BATCH = 200;

/** The number of values that a key has sealed. `age` is the key's place in SECRETS_KEY, 0 for the newest; undefined if it is not there. */
export type KeyUse = { age: number | undefined; values: number };

/** The SQL expression for the bytes of a sealed value; null if the row has none. */
function sealedBytes({ column, isJson }: SealedColumn): SQL {
  const values = sql.identifier(column);
  if (!isJson) return sql`${values}`;
  return sql`case when json_typeof(${values}) = 'object' then decode(${values} ->> 'sealed', 'base64') end`;
}

/** Counts the values of a column by the key that sealed them. */
export async function countByKey(column: SealedColumn): Promise<KeyUse[]> {
  const { table, purpose } = column;
  const values = sealedBytes(column);
  const { rows } = await db.execute<{ id: Buffer; count: number }>(
    sql`select substring(${values} from 1 for 4) as id, count(*)::int as count from ${sql.identifier(table)}
        where ${values} is not null group by 1`,
  );
  const known = keyIdsOf(purpose);
  return rows.map(({ id: held, count }) => {
    const age = known.findIndex((key) => key.equals(held));
    return { age: age < 0 ? undefined : age, values: count };
  });
}

/**
 * Seals every value of a column with the newest key. Values that other processes change meanwhile are left to them: they use
 * the newest key too.
 * @param report receives how many values were sealed again so far
 * @returns how many values were sealed again
 * @throws Error if a value does not belong to its row
 */
export async function resealColumn(into: SealedColumn, report: (count: number) => void = () => {}): Promise<number> {
  const { table, column, purpose, isJson } = into;
  const [newest, ...older] = keyIdsOf(purpose);
  if (!newest || older.length === 0) return 0;
  const [from, sealed] = [sql.identifier(table), sealedBytes(into)];
  const isOld = sql`substring(${sealed} from 1 for 4) in ${older}`;
  for (let count = 0; ; ) {
    const { rows } = await db.execute<{ place: string; row: string; sealed: Buffer }>(
      sql`select ctid::text as place, (${sql.raw(into.row)})::text as row, ${sealed} as sealed from ${from} where ${isOld} limit ${BATCH}`,
    );
    if (rows.length === 0) return count;
    for (const row of rows) {
      const fresh = sealFor(into, row.row, unsealFrom(into, row.row, row.sealed));
      const stored = isJson ? sql`json_build_object('sealed', ${fresh.toString("base64")}::text)` : sql`${fresh}`;
      const { rowCount } = await db.execute(
        sql`update ${from} set ${sql.identifier(column)} = ${stored}
            where ctid = ${row.place}::tid and ${sealed} = ${row.sealed}`,
      );
      count += rowCount ?? 0;
      report(count);
    }
  }
}
