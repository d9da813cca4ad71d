import { resolve } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { runMigrations as runJobMigrations } from "graphile-worker";
import pg from "pg";
import { MIGRATION_LOCK } from "./locks";

/**
 * Migrates the database to the newest schema, both ours and the job engine's. If several processes start together, one
 * migrates and the others wait: a lock is held, because Drizzle's migrator fails when two processes run it at once.
 */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: `carillon ${process.pid} migrate` });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations(drizzle(client), { migrationsFolder: resolve("lib/db/migrations") });
    await runJobMigrations({ connectionString: url });
  } finally {
    await client.end(); // also releases the lock
  }
}
