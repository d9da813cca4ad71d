import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { openCluster } from "../../../lib/db/cluster";
import type { Trace } from "./search";

/** Every row of every table of a stopped product's database as text, including jobs and migrations. */
export async function dumpOf(dataDir: string): Promise<Trace[]> {
  const cluster = await openCluster({ dataDir, purpose: "command" });
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
    const traces: Trace[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select t::text || ' ' || to_json(t)::text as text from ${name} t`,
      );
      traces.push({ where: `the table ${name}`, text: rows.map(({ text }) => text).join("\n") });
    }
    return traces;
  } finally {
    await client.end();
    await cluster.release();
  }
}

/** The product's files as text, except those of the database and the sandbox. */
export async function filesOf(dataDir: string): Promise<Trace[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^(postgres|sandbox)\//.test(path.slice(dataDir.length + 1)));
  return Promise.all(
    files.map(async (path) => ({ where: path.slice(dataDir.length + 1), text: await readFile(path, "latin1") })),
  );
}
