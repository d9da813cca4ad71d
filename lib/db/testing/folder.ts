import { chmod, mkdtemp, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A new folder for a DATA_DIR, with a space in its path. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "carillon cluster ")));
  await chmod(folder, 0o755); // as root PostgreSQL runs as another user, who must get in
  return folder;
}

/** The first value of the first row that a statement answers. */
export async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows?.[0]?.[0];
  } finally {
    await client.end();
  }
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
}
