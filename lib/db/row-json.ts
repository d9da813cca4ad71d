import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

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
