import type pg from "pg";

// A backup has the rows of our tables and of the job engine's. Their definitions are not in it: they come from the migrations
// of the same release.

const SCHEMAS = ["public", "graphile_worker"];

/** A table of the backup. `name` is qualified and quoted, ready for SQL. */
export type BackupTable = { name: string; columns: string[] };

/** A partition that exists besides those that the migrations create. `bound` is its `FOR VALUES …`. */
export type Partition = { name: string; parent: string; bound: string };

/** Columns that PostgreSQL computes and unlogged tables are left out. A partitioned table is listed once, without its partitions. */
export async function listTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
       and (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
     order by 1`,
    [SCHEMAS],
  );
  return rows;
}

/** Parents come before their partitions. */
export async function listPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', pn.nspname, p.relname) as parent,
       pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_inherits i on i.inhrelid = c.oid
     join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
     where n.nspname = any($1) and c.relispartition and c.relkind in ('r', 'p') order by c.relkind = 'r', 1`,
    [SCHEMAS],
  );
  return rows;
}

export type Sequence = { name: string; value: string };

/** The last value of each sequence that has been used. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [SCHEMAS],
  );
  return rows;
}

/** What a database must have in common with a backup so that the rows fit. */
export type SchemaVersion = {
  /** The hashes of our migrations, oldest first. */
  migrations: string[];
  /** The job engine's newest migration. */
  jobMigration: number;
};

export async function readSchemaVersion(client: pg.ClientBase): Promise<SchemaVersion> {
  const { rows } = await client.query<SchemaVersion>(
    `select (select array_agg(hash order by created_at) from drizzle.__drizzle_migrations) as migrations,
       (select max(id) from graphile_worker.migrations) as "jobMigration"`,
  );
  const [version] = rows;
  if (!version) throw new Error("the migrations of the database cannot be read");
  return version;
}

/** `"id","owner_id"` */
export function columnList({ columns }: Pick<BackupTable, "columns">): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(",");
}
