import { resolve } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { runMigrations as runJobMigrations } from "graphile-worker";
import pg from "pg";

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
