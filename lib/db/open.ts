import pg from "pg";
import { env, SettingsError } from "../env";
import { type ClusterRole, openCluster } from "./cluster";
import { closeDatabase, isDatabaseOpen, openDatabase } from "./index";
import { migrate } from "./migrate";
import { loadRetiredKeys } from "./retired-keys";

/**
 * Opens the database of this process, at `DATABASE_URL` or embedded in `DATA_DIR`, and migrates it.
 * @throws DataDirInUse for a second service on one DATA_DIR; SettingsError if the database at `DATABASE_URL` cannot be used
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
  await loadRetiredKeys();
  return {
    async close() {
      await closeDatabase();
      await cluster?.release();
    },
  };
}

/** The URL contains a password, so the message has only the host and the error of PostgreSQL or the system. */
async function assertReachable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const { host } = new URL(url);
    const wrong = `the database at ${host} cannot be used: ${messageOf(error)}`;
    const example = "DATABASE_URL=postgres://carillon:secret@db.example.com:5432/carillon";
    throw new SettingsError([`DATABASE_URL: ${wrong}. Example: ${example}, or remove it to use the embedded database`]);
  } finally {
    await client.end().catch(() => {});
  }
}

/** If Node tried every address of a host name, the error has a code but no message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
