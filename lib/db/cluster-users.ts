import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isAlive } from "./embedded/postmaster";
import { CLUSTER_SERVICE_LOCK, CLUSTER_USE_LOCK } from "./locks";

/** What a process opens the cluster for: the one service, an additional worker process, or a single command. */
export type ClusterRole = "service" | "worker" | "command";

/** A second service was started on the DATA_DIR of a running one. */
export class DataDirInUse extends Error {
  constructor(
    readonly dataDir: string,
    readonly pid: number | undefined,
  ) {
    const who = pid ? ` (process ${pid})` : "";
    super(`${dataDir} is in use by another Carillon${who}. Stop it first, or set DATA_DIR to another folder`);
    this.name = "DataDirInUse";
  }
}

// Both locks are held on a connection of their own. The kernel closes it when the process dies, so no lock is ever stale.
// Every process that uses the cluster shares CLUSTER_USE_LOCK. Only the service holds CLUSTER_SERVICE_LOCK.

const WAIT_MS = 2_000;
const WAIT_FOR_DEAD_OWNER_MS = 10_000;

/** Joins the users of a running cluster. Returns undefined if the last user is stopping it; the caller tries again. */
export async function joinCluster(url: string, purpose: ClusterRole): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carillon-${purpose} ${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {}); // a lost connection shows as "end"
  await client.connect();
  if (await ask(client, `pg_try_advisory_lock_shared(${CLUSTER_USE_LOCK})`)) return client;
  await client.end();
  return undefined;
}

/**
 * Makes a joined process the one service of its DATA_DIR.
 * @throws DataDirInUse if another service is running
 */
export async function becomeService(client: pg.Client, dataDir: string): Promise<void> {
  const since = Date.now();
  while (!(await ask(client, `pg_try_advisory_lock(${CLUSTER_SERVICE_LOCK})`))) {
    const pid = await ownerPid(client);
    // The previous service may be stopping, or PostgreSQL may not have noticed yet that it was killed.
    const maxWaitMs = pid && !isAlive(pid) ? WAIT_FOR_DEAD_OWNER_MS : WAIT_MS;
    if (Date.now() - since > maxWaitMs) throw new DataDirInUse(dataDir, pid);
    await sleep(50);
  }
}

/**
 * Leaves the users of the cluster. Returns true for the last one: no process can join any more, and it must stop the cluster.
 * It releases its shared lock before it tries the exclusive one, so that exactly one of two leaving processes is the last.
 */
export async function leaveCluster(client: pg.Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_all()`);
  return ask(client, `pg_try_advisory_lock(${CLUSTER_USE_LOCK})`);
}

async function ownerPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND (classid, objid) = (${CLUSTER_SERVICE_LOCK}) AND objsubid = 2`,
  );
  return Number(rows[0]?.name.split(" ")[1]) || undefined;
}

async function ask(client: pg.Client, expression: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(`SELECT ${expression} AS answer`);
  return rows[0]?.answer === true;
}
