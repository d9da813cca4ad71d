import { fillPlaceholders, type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Tx } from "./index";

const dialect = new PgDialect();

/** Where a value of a statement stands; `type` is PostgreSQL's name for what it is. */
export function value(name: string, type: string): SQL {
  return sql`${sql.placeholder(name)}::${sql.raw(type)}`;
}

/**
 * One SQL statement that each connection parses and plans once (a named prepared statement): for what every request asks.
 * It goes straight to the driver, since building a query anew costs more than all else that is done for a short one.
 * Rows come as `pg` reads them, but instants as text; bigints are text too unless they stand in JSON.
 * @param name unique among all statements; PostgreSQL keeps 63 characters of it
 */
export function statement<Values extends { [name: string]: unknown }, Row>(name: string, query: SQL) {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const config = { name, text, types };
  return async (tx: Tx, values: Values): Promise<Row[]> =>
    rowsOf<Row>(await connectionOf(tx).query(config, fillPlaceholders(params, values)));
}

const { DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
const INSTANTS = new Set<number>([DATE, TIMESTAMP, TIMESTAMPTZ]);
const asText = (text: string) => text;

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (INSTANTS.has(id) ? asText : pg.types.getTypeParser(id, format)),
};

type Connection = Pick<pg.Pool, "query">;

/** What a transaction's session talks to, or the database's own: drizzle keeps it there and does not show it. */
function connectionOf(tx: Tx): Connection {
  return (tx._.session as unknown as { client: Connection }).client;
}

/** What the driver answers; the statement's own text says what its rows hold. */
function rowsOf<Row>({ rows }: pg.QueryResult): Row[] {
  return rows;
}
