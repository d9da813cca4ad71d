import { env } from "../env";
import { openCluster, type Purpose } from "./cluster";
import { closeDatabase, isDatabaseOpen, openDatabase } from "./index";
import { migrate } from "./migrate";

/**
 * Opens this process's database, at `DATABASE_URL` or embedded in `DATA_DIR`, at the newest schema.
 * @throws DataDirInUse for a second service on one DATA_DIR
 */
export async function openData(
  purpose: Purpose,
  onLost?: (reason: Error) => void,
): Promise<{ close(): Promise<void> }> {
  if (isDatabaseOpen()) return { close: async () => {} };
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
