import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Tx } from "./index";

const dialect = new PgDialect();

/** Where a value of a statement stands; `type` is PostgreSQL's name for what it is. */
export function value(name: string, type: string): SQL {
  return sql`${sql.placeholder(name)}::${sql.raw(type)}`;
}

/**
 * One SQL statement that each connection parses and plans once (a named prepared statement): for what every request asks.
 * Rows come as `pg` reads them: instants as text, bigints as text unless they stand in JSON.
 * @param name unique among all statements; PostgreSQL keeps 63 characters of it
 */
export function statement<Values extends { [name: string]: unknown }, Row>(name: string, query: SQL) {
  const prepared = dialect.sqlToQuery(query);
  return async (tx: Tx, values: Values): Promise<Row[]> => {
    const result = await tx._.session.prepareQuery(prepared, undefined, name, false).execute(values);
    return rowsOf<Row>(result);
  };
}

/** What the driver answers to a query without a field list; the statement's own text says what its rows hold. */
function rowsOf<Row>(result: unknown): Row[] {
  return (result as { rows: Row[] }).rows;
}
