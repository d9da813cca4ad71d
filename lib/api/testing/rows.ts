import { sql } from "drizzle-orm";
import { db } from "../../db";

type Link = { child: string; column: string; parent: string; key: string };
type Row = { [column: string]: unknown };

/** The owner's own tokens, which tests create as they run, and the log of their requests. */
const LEFT_OUT = ["grants", "request_log"];

/** Reads every row that belongs to a user, directly or not, by the database's foreign keys. New tables are included. */
export async function rowsOf(userId: string): Promise<string[]> {
  const links = await foreignKeys();
  const seen = new Set<string>();
  const visit = async (table: string, rows: Row[]): Promise<void> => {
    const fresh = rows.filter((row) => !seen.has(`${table} ${JSON.stringify(row)}`));
    for (const row of fresh) seen.add(`${table} ${JSON.stringify(row)}`);
    for (const { child, column, key } of links.filter(({ parent }) => fresh.length > 0 && parent === table)) {
      const keys = fresh.map((row) => String(row[key]));
      await visit(child, await select(child, column, keys));
    }
  };
  await visit("users", await select("users", "id", [userId]));
  return [...seen].sort();
}

async function select(table: string, column: string, keys: string[]): Promise<Row[]> {
  const { rows } = await db.execute<{ row: Row }>(sql`
    select to_jsonb(t) as row from ${sql.identifier(table)} t
    where ${sql.identifier(column)}::text = any(${sql.param(keys)}::text[])`);
  return rows.map(({ row }) => row);
}

let known: Promise<Link[]> | undefined;

/** The schema does not change during a run, so the foreign keys are read once. */
function foreignKeys(): Promise<Link[]> {
  known ??= readForeignKeys();
  return known;
}

async function readForeignKeys(): Promise<Link[]> {
  const { rows } = await db.execute<Link>(sql`
    select child.relname as child, own.attname as column, parent.relname as parent, other.attname as key
    from pg_constraint c
    join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
    join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
    join pg_attribute other on other.attrelid = c.confrelid and other.attnum = c.confkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace`);
  return rows.filter(({ child }) => !LEFT_OUT.includes(child));
}
