import { type Column, fillPlaceholders, getTableColumns, type SQL, sql } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { BadRequest } from "../errors";
import type { Tx } from "./index";

const MAX_DEPTH = 32;

/** Refuses what PostgreSQL cannot store, wherever in a value it stands. */
export function assertStorableValue(value: unknown, path = "", depth = 0): void {
  if (depth > MAX_DEPTH) throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === "string") assertStorable(value, path || "The body");
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    assertStorable(name, "A field's name");
    assertStorableValue(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, depth + 1);
  }
}

function assertStorable(text: string, path: string): void {
  if (text.includes("\0") || !text.isWellFormed()) throw new BadRequest(`${path} holds a character that is not text`);
}

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

/**
 * A row of a table as one JSON value under the names of the code, for a statement that answers a whole tree at once. Instants
 * are text and bytes are base64; `rowFromJson` gives back what a select of the same row would.
 * @param alias what the statement calls the row
 */
export function rowAsJson(table: PgTable, alias: string): SQL {
  const fields = Object.entries(getTableColumns(table)).map(([key, column]) => `'${key}', ${fieldOf(alias, column)}`);
  return sql.raw(`json_build_object(${fields.join(", ")})`);
}

function fieldOf(alias: string, column: Column): string {
  const value = `${alias}."${column.name}"`;
  const type = column.getSQLType();
  if (type.startsWith("timestamp")) return `${value}::text`;
  return type === "bytea" ? `encode(${value}, 'base64')` : value;
}

/** The one place that trusts such a value to be the row that `rowAsJson` wrote. */
export function rowFromJson<T extends PgTable>(table: T, json: { [key: string]: unknown }): T["$inferSelect"] {
  const row = { ...json };
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value = row[key];
    if (column.getSQLType() === "bytea" && typeof value === "string") row[key] = Buffer.from(value, "base64");
  }
  return row as T["$inferSelect"];
}
