import { resolve } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { runMigrations as runJobMigrations } from "graphile-worker";
import pg from "pg";
import { env, SettingsError } from "../env";
import { type ClusterRole, openCluster } from "./cluster";
import { closeDatabase, isDatabaseOpen, openDatabase } from "./index";

/** Any number that no other advisory lock of ours uses; the same in every process. */
const MIGRATION_LOCK = 7_203_114;

/**
 * Brings the database to the newest schema, ours and the job engine's. However many processes start together, one migrates
 * and the others wait for it: Drizzle's own migrator fails when two run at once, so a lock is held around it.
 */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: `carillon ${process.pid} migrate` });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations(drizzle(client), { migrationsFolder: resolve("lib/db/migrations") });
    await runJobMigrations({ connectionString: url });
  } finally {
    await client.end(); // which also gives the lock back
  }
}

/**
 * Opens this process's database, at `DATABASE_URL` or embedded in `DATA_DIR`, at the newest schema.
 * @throws DataDirInUse for a second service on one DATA_DIR; SettingsError where `DATABASE_URL` leads to no database
 */
export async function openData(
  purpose: ClusterRole,
  onLost?: (reason: Error) => void,
): Promise<{ close(): Promise<void> }> {
  if (isDatabaseOpen()) return { close: async () => {} };
  if (env.databaseUrl) await assertReachable(env.databaseUrl);
  const cluster = env.databaseUrl ? undefined : await openCluster({ dataDir: env.dataDir, purpose, onLost });
  const url = env.databaseUrl ?? cluster?.url ?? "";
  try {
    await migrate(url);
  } catch (error) {
    await cluster?.release();
    throw error;
  }
  openDatabase(url);
  return {
    async close() {
      await closeDatabase();
      await cluster?.release();
    },
  };
}

/** The address holds a password: what is said names the host and PostgreSQL's or the system's own words, not the address. */
async function assertReachable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const { host } = new URL(url);
    const wrong = `the database at ${host} cannot be used: ${wordsOf(error)}`;
    const example = "DATABASE_URL=postgres://carillon:secret@db.example.com:5432/carillon";
    throw new SettingsError([`DATABASE_URL: ${wrong}. Example: ${example}, or leave it unset for the embedded one`]);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Where every address of a name was tried, the error has a code but no words. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
