import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { dedicatedConnection, type Tx } from "../index";
import * as schema from "../schema";
import { DUMP_SETTINGS, type Dump } from "./dump";
import { copyFromFile } from "./rows";
import { columnList, listPartitions, listTables, readSchemaVersion } from "./tables";

/** Returns why the rows of a dump do not fit into the database of this process; undefined if they do. */
export async function misfitOf(client: pg.ClientBase, { schema: made, tables }: Dump): Promise<string | undefined> {
  const found = await readSchemaVersion(client);
  if (JSON.stringify(found) !== JSON.stringify(made)) {
    return "the backup was made with another schema. Install the release that made it, restore with that release, and upgrade afterwards";
  }
  const known = new Set((await listTables(client)).map(({ name }) => name));
  const unknown = tables.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  return unknown.length > 0 ? `the backup has tables that Carillon does not have: ${unknown.join(", ")}` : undefined;
}

/**
 * Replaces the rows of every table by those of a dump, in one transaction: after a failure, nothing has changed. Foreign keys
 * are removed before and added again after, which checks every row. Triggers do not run.
 * @param also changes that commit together with the rows
 * @throws Error if the dump does not fit or is damaged
 */
export async function loadDatabase(
  folder: string,
  dump: Dump,
  say: (text: string) => void,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  const client = await dedicatedConnection("restore");
  try {
    await client.query(DUMP_SETTINGS);
    await client.query("begin");
    const misfit = await misfitOf(client, dump);
    if (misfit) throw new Error(misfit);
    await replacePartitions(client, dump);
    const foreignKeys = await dropForeignKeys(client);
    for (const table of dump.tables) {
      const report = (bytes: number) => say(`${table.name}: ${Math.round(bytes / 1_048_576)} MB`);
      await client.query(`alter table ${table.name} disable trigger user`);
      await client.query(`delete from ${table.name}`);
      await copyFromFile(client, `${table.name} (${columnList(table)})`, { folder, file: table, report });
      await client.query(`alter table ${table.name} enable trigger user`);
    }
    for (const { table, name, definition } of foreignKeys) {
      say(`checking ${name}`);
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
    for (const { name, value } of dump.sequences) await client.query("select setval($1, $2)", [name, value]);
    await also(drizzle(client, { schema }));
    await client.query("commit");
    say("collecting statistics");
    for (const { name } of dump.tables) await client.query(`analyze ${name}`);
  } finally {
    await client.end();
  }
}

/** Partitions depend on the day of the migration, so those of the dump replace the present ones. */
async function replacePartitions(client: pg.ClientBase, { partitions }: Dump): Promise<void> {
  for (const { name } of await listPartitions(client)) await client.query(`drop table if exists ${name}`);
  for (const { name, parent, bound } of partitions) {
    await client.query(`create table ${name} partition of ${parent} ${bound}`);
  }
}

type ForeignKey = { table: string; name: string; definition: string };

async function dropForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}
