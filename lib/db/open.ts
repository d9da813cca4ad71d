import { randomInt } from "node:crypto";
import pg from "pg";
import { env, SettingsError } from "../env";
import { databaseHost } from "../env/parsers";
import { assertKeys, joinInstallation, watchInstallation } from "../installation";
import { log } from "../log";
import { type ClusterRole, openCluster } from "./cluster";
import { messageOf } from "./gate";
import { closeDatabase, inBackground, isDatabaseOpen, openDatabase } from "./index";
import { SAME_DATABASE_LOCK_CLASS } from "./locks";
import { migrate, prepareSchema } from "./migrate";
import { loadRetiredKeys } from "./retired-keys";

type Options = {
  /** Called if the database was lost and could not be restarted, so that this process can no longer store anything. */
  onLost?: (reason: Error) => void;
  /** For a command that works with other keys than those of the installation. */
  ignoresKeys?: boolean;
  /** Ends the waiting for another process that migrates the database. */
  signal?: AbortSignal;
};

/**
 * Opens the database of this process, at `DATABASE_URL` or embedded in `DATA_DIR`. Migrates the embedded one, and an empty one.
 * @throws DataDirInUse for a second service on one DATA_DIR; SettingsError if the database at `DATABASE_URL` cannot be used, or
 * if the configuration differs from that of the installation; WrongSchema if its schema does not fit this release; AbortError
 * after `signal`
 */
export async function openData(
  purpose: ClusterRole,
  { onLost, ignoresKeys = false, signal }: Options = {},
): Promise<{ close(): Promise<void> }> {
  if (isDatabaseOpen()) return { close: async () => {} };
  const { url, directUrl, release } = await findDatabase(purpose, onLost);
  try {
    await prepareSchema(directUrl ?? url, !env.databaseUrl, { say: (line) => log.warn(line), signal });
  } catch (error) {
    if (signal?.aborted) log.warn("told to stop before the database was migrated");
    await release();
    throw error;
  }
  openDatabase(url, {
    ...{ directUrl, poolSize: env.databasePool, limits: purpose === "command" ? "command" : "request" },
  });
  const undos = [release, closeDatabase];
  const close = async () => {
    for (const undo of undos.toReversed()) await undo();
  };
  try {
    if (purpose === "command") {
      if (!ignoresKeys) await assertKeys();
      await loadRetiredKeys();
    } else {
      // Nobody waits for a response yet, so a slow database does not end a start: its steps have the time limits of workers.
      undos.push((await inBackground(joinInstallation)).leave);
      await inBackground(loadRetiredKeys);
      undos.push((await watchInstallation()).stop);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/**
 * Migrates the database of this installation to the schema of this release and returns the names of the applied migrations.
 * @throws WrongSchema if the database belongs to a newer release that this one does not fit; SettingsError as `openData`
 */
export async function migrateData(say: (line: string) => void): Promise<string[]> {
  const { url, directUrl, release } = await findDatabase("command");
  try {
    return await migrate(directUrl ?? url, { say });
  } finally {
    await release();
  }
}

type Found = { url: string; directUrl?: string; release(): Promise<void> };

/** Finds the database at `DATABASE_URL`, or starts the embedded one. */
async function findDatabase(purpose: ClusterRole, onLost?: (reason: Error) => void): Promise<Found> {
  if (!env.databaseUrl) {
    const { socketUrl: url, release } = await openCluster({ dataDir: env.dataDir, purpose, onLost });
    return { url, release };
  }
  await assertReachable("DATABASE_URL", env.databaseUrl);
  const { databaseDirectUrl: directUrl } = env;
  if (directUrl) {
    await assertReachable("DATABASE_DIRECT_URL", directUrl);
    await assertSameDatabase(env.databaseUrl, directUrl);
  }
  return { url: env.databaseUrl, directUrl, release: async () => {} };
}

/** The URL contains a password, so the message has only the host and the error of PostgreSQL or the system. */
async function assertReachable(setting: string, url: string): Promise<void> {
  try {
    await whileConnected(url, async () => {});
  } catch (error) {
    const wrong = `the database at ${databaseHost(url)} cannot be used: ${messageOf(error)}`;
    const example = `${setting}=postgres://carillon:secret@db.example.com:5432/carillon`;
    throw new SettingsError([
      `${setting}: ${wrong}. Example: ${example}, or remove DATABASE_URL to use the embedded database`,
    ]);
  }
}

/** Locks of one database do not exist in another one, nor on a standby: a living worker would seem dead to the others. */
async function assertSameDatabase(url: string, directUrl: string): Promise<void> {
  const lock = [SAME_DATABASE_LOCK_CLASS, randomInt(2 ** 31)];
  const isFree = await whileConnected(directUrl, async (holder) => {
    await holder.query("select pg_advisory_lock($1, $2)", lock);
    const ask = "select pg_try_advisory_xact_lock($1, $2) as free";
    return whileConnected(url, async (other) => (await other.query(ask, lock)).rows[0].free);
  });
  if (!isFree) return;
  const wrong =
    "leads to another database than DATABASE_URL. Both must lead to the same database of the primary server";
  throw new SettingsError([`DATABASE_DIRECT_URL: ${wrong}`]);
}

async function whileConnected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
