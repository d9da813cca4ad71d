import { sql } from "drizzle-orm";
import { db } from "../../db";

type Link = { child: string; column: string; type: string; parent: string; key: string };
type Found = { table: string; row: { [column: string]: unknown } };

/** The owner's own tokens and sessions, which tests create as they run, and the log of their requests. */
const LEFT_OUT = ["grants", "sessions", "request_log"];

/**
 * Reads every row that belongs to one of the users, directly or not, by the database's foreign keys. New tables are included.
 * Each distance from the users takes one query.
 */
export async function rowsOf(...userIds: string[]): Promise<string[]> {
  const links = await foreignKeys();
  const seen = new Set<string>();
  let found = await select([{ child: "users", column: "id", type: "uuid", keys: userIds }]);
  while (found.length > 0) {
    const fresh = found.filter((one) => !seen.has(nameOf(one)));
    for (const one of fresh) seen.add(nameOf(one));
    const below = links.map(({ parent, key, ...link }) => {
      const rows = fresh.filter(({ table }) => table === parent);
      return { ...link, keys: rows.map(({ row }) => String(row[key])) };
    });
    found = await select(below.filter(({ keys }) => keys.length > 0));
  }
  return [...seen].sort();
}

const nameOf = ({ table, row }: Found) => `${table} ${JSON.stringify(row)}`;

/** The keys are cast to the type of the column, so that its index is used. */
async function select(wanted: (Omit<Link, "parent" | "key"> & { keys: string[] })[]): Promise<Found[]> {
  if (wanted.length === 0) return [];
  const each = wanted.map(
    ({ child, column, type, keys }) => sql`
      select ${child}::text as table, to_jsonb(t) as row from ${sql.identifier(child)} t
      where ${sql.identifier(column)} = any(${sql.param(keys)}::text[]::${sql.raw(type)}[])`,
  );
  return (await db.execute<Found>(sql.join(each, sql` union all `))).rows;
}

let known: Promise<Link[]> | undefined;

/** The schema does not change during a run, so the foreign keys are read once. */
function foreignKeys(): Promise<Link[]> {
  known ??= readForeignKeys();
  return known;
}

async function readForeignKeys(): Promise<Link[]> {
  const { rows } = await db.execute<Link>(sql`
    select child.relname as child, own.attname as column, format_type(own.atttypid, null) as type, parent.relname as parent, other.attname as key
    from pg_constraint c
    join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
    join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
    join pg_attribute other on other.attrelid = c.confrelid and other.attnum = c.confkey[1]
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`);
  return rows.filter(({ child }) => !LEFT_OUT.includes(child));
}
