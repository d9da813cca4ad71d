import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { dedicatedConnection } from "../index";
import { copyToFile, type RowsFile } from "./rows";
import {
  columnList,
  listPartitions,
  listSequences,
  listTables,
  type Partition,
  readSchemaVersion,
  type SchemaVersion,
  type Sequence,
} from "./tables";

/** All rows of a database at one instant, in files, and what is needed to restore them. */
export type Dump = {
  /** Every transaction that was committed before this instant is in the dump. */
  takenAt: string;
  serverVersion: string;
  schema: SchemaVersion;
  tables: (RowsFile & { name: string })[];
  partitions: Partition[];
  sequences: Sequence[];
};

/** Neither settings of the server nor of the role may change how values are written. */
export const DUMP_SETTINGS = `
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1`;

/**
 * Writes the rows of every table to files below `folder`, all from one snapshot, while the service runs. The snapshot has no
 * transaction ID, so it does not hold back the event log (ADR 14).
 * @param also more that is read from the same snapshot
 */
export async function dumpDatabase<T>(
  folder: string,
  say: (text: string) => void,
  also: (client: pg.Client) => Promise<T>,
): Promise<{ dump: Dump; also: T }> {
  const client = await dedicatedConnection("backup");
  try {
    await client.query(DUMP_SETTINGS);
    await client.query("begin isolation level repeatable read, read only");
    // `now()` is the beginning of the transaction. The snapshot is taken by this first query, so it is not older.
    const { rows } = await client.query(
      `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt", current_setting('server_version') as "serverVersion"`,
    );
    await mkdir(join(folder, "tables"), { mode: 0o700 });
    const tables = [];
    for (const table of await listTables(client)) {
      const report = (bytes: number) => say(`${table.name}: ${Math.round(bytes / 1_048_576)} MB`);
      const query = `select ${columnList(table)} from ${table.name}`;
      const file = `tables/${table.name.replaceAll('"', "")}.gz`;
      const written = await copyToFile(client, { ...table, query }, { folder, file, report });
      tables.push({ name: table.name, ...written });
    }
    const dump: Dump = {
      ...rows[0],
      schema: await readSchemaVersion(client),
      tables,
      partitions: await listPartitions(client),
      // Sequences are not part of a snapshot: their values are newer than the rows, which is safe.
      sequences: await listSequences(client),
    };
    return { dump, also: await also(client) };
  } finally {
    await client.end(); // also ends the transaction
  }
}
