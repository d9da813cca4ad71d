import { type Column, fillPlaceholders, getTableColumns, type SQL, sql } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { BadRequest } from "../errors";
import { hasSessions, type Tx } from "./index";

const MAX_DEPTH = 32;
/** More than a request of 1 MB needs, whose longest list has storage keys of 40 characters. */
const MAX_VALUES = 30_000;

/** Checks a parsed body for text that PostgreSQL cannot store. @throws BadRequest for such text or for too many levels */
export function assertStorableValue(value: unknown): void {
  const found = unstorablePath(value, 0);
  if (found) throw new BadRequest(`${pathText(found) || "The body"} contains a character that is not valid text`);
}

/** Returns the names that lead to the first such text, the last one first. The path is built only then, to save time. */
function unstorablePath(value: unknown, depth: number): (string | number)[] | undefined {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (typeof value === "string") return isStorable(value) ? undefined : [];
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const found = unstorablePath(inner, depth + 1);
      if (found) return [...found, index];
    }
    return undefined;
  }
  for (const name in value) {
    if (!isStorable(name)) throw new BadRequest("A field name contains a character that is not valid text");
    const found = unstorablePath((value as { [name: string]: unknown })[name], depth + 1);
    if (found) return [...found, name];
  }
  return undefined;
}

function pathText(reversed: (string | number)[]): string {
  return reversed.reduceRight<string>(
    (path, name) => (typeof name === "number" ? `${path}[${name}]` : path ? `${path}.${name}` : name),
    "",
  );
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * Checks the levels and the number of values of a JSON text before JSON.parse, which takes long on very deep ones and on
 * 100,000 fields.
 * @throws BadRequest
 */
export function assertBoundedJson(json: Buffer): void {
  let [depth, values, isText] = [0, 1, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH + 1) throw tooDeep();
      values++;
    } else if (byte === COMMA) values++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  if (values > MAX_VALUES) {
    throw new BadRequest(`The body has more than ${MAX_VALUES.toLocaleString("en")} values; send several smaller ones`);
  }
}

const tooDeep = () => new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * The end of a subquery in `with … as materialized` that returns a few rows, at most as many as fit into a batch. It limits
 * nothing. Its number is not a constant, so the planner expects few rows and reads the tables that they are joined to by index;
 * from the 100 rows that it expects of a function, it would read whole tables of up to about 50,000 rows.
 */
export const fewRows = sql`limit (select 1000000)`;

const dialect = new PgDialect();

/** A placeholder for a value of a statement. `type` is the PostgreSQL type. */
export function value(name: string, type: string): SQL {
  return sql`${sql.placeholder(name)}::${sql.raw(type)}`;
}

/**
 * A named prepared statement, which each connection parses and plans once (unnamed behind a pooler): for statements that run
 * on every request. It bypasses the query builder, whose work would cost more than the rest of a short query. Rows are as
 * `pg` returns them, except that instants are text. Bigints are text too, unless they are inside JSON.
 * @param name unique among all statements; PostgreSQL uses the first 63 characters
 */
export function statement<Values extends { [name: string]: unknown }, Row>(name: string, query: SQL) {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const unnamed = { text, types };
  const named = { name, ...unnamed };
  return async (tx: Tx, values: Values): Promise<Row[]> =>
    rowsOf<Row>(await connectionOf(tx).query(hasSessions() ? named : unnamed, fillPlaceholders(params, values)));
}

const { DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
const INSTANTS = new Set<number>([DATE, TIMESTAMP, TIMESTAMPTZ]);
const asText = (text: string) => text;

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (INSTANTS.has(id) ? asText : pg.types.getTypeParser(id, format)),
};

type Connection = Pick<pg.Pool, "query">;

/** The connection of a transaction, or the pool. Drizzle has it at this place but does not declare it. */
function connectionOf(tx: Tx): Connection {
  return (tx._.session as unknown as { client: Connection }).client;
}

/** The driver does not know the type of the rows; the text of the statement determines it. */
function rowsOf<Row>({ rows }: pg.QueryResult): Row[] {
  return rows;
}

/**
 * SQL: a row of a table as one JSON object with the property names of the code, for statements that return rows of several
 * tables at once. Instants are text and bytes are base64. `rowFromJson` converts the object to the row that a select returns.
 * @param alias the alias of the row in the statement
 */
export function rowAsJson(table: PgTable, alias: string): SQL {
  return sql`json_build_object(${fieldsAsJson(table, alias)})`;
}

/**
 * SQL: the arguments of `json_build_object` for `rowAsJson`, for objects that have more fields than the row.
 * @param only the fields to read; by default all
 */
export function fieldsAsJson<T extends PgTable>(
  table: T,
  alias: string,
  only?: readonly (keyof T["$inferSelect"])[],
): SQL {
  const fields = Object.entries(getTableColumns(table)).filter(([key]) => !only || only.includes(key));
  return sql.raw(fields.map(([key, column]) => `'${key}', ${jsonFieldOf(alias, column)}`).join(", "));
}

function jsonFieldOf(alias: string, column: Column): string {
  const value = `${alias}."${column.name}"`;
  const type = column.getSQLType();
  if (type.startsWith("timestamp")) return `${value}::text`;
  return type === "bytea" ? `encode(${value}, 'base64')` : value;
}

/** Converts the JSON of `rowAsJson` back to a row. It trusts that the value has that form. */
export function rowFromJson<T extends PgTable>(table: T, json: { [key: string]: unknown }): T["$inferSelect"] {
  const row = { ...json };
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value = row[key];
    if (column.getSQLType() === "bytea" && typeof value === "string") row[key] = Buffer.from(value, "base64");
  }
  return row as T["$inferSelect"];
}
