import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Tries to install PgBouncer for lib/db/pgbouncer.test.ts, which is skipped if it is missing. */
export async function ensurePgBouncer() {
  if (existsSync(PROGRAM)) return;
  console.log("Database: no PgBouncer found, running apt-get install …");
  await aptInstall("pgbouncer");
  if (!existsSync(PROGRAM)) console.log("Database: no PgBouncer (pgbouncer): lib/db/pgbouncer.test.ts is skipped");
}
