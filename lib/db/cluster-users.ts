import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isAlive } from "./embedded/postmaster";

/** What a process opens the cluster for: the one service, a worker process beside it, or a single command. */
export type ClusterRole = "service" | "worker" | "command";

/** A second service was started on a DATA_DIR that a running one owns. */
export class DataDirInUse extends Error {
  constructor(
    readonly dataDir: string,
    readonly pid: number | undefined,
  ) {
    const who = pid ? ` (process ${pid})` : "";
    super(`${dataDir} is in use by another Carillon${who}. Stop that one first, or set DATA_DIR to another folder`);
    this.name = "DataDirInUse";
  }
}

// Advisory locks of one session on a connection of its own: the kernel closes it when the process dies, however it
// dies, so a lock is never stale. USE is shared by everyone on the cluster; OWN is the service's alone.
const USE = "1128352076, 1";
const OWN = "1128352076, 2";

const PATIENCE_MS = 2_000;
const PATIENCE_WITH_THE_DEAD_MS = 10_000;

/** Joins the users of a running cluster. `undefined`: the last of them is stopping it right now, so try again. */
export async function joinCluster(url: string, purpose: ClusterRole): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carillon-${purpose} ${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {}); // a lost connection shows as "end"
  await client.connect();
  if (await ask(client, `pg_try_advisory_lock_shared(${USE})`)) return client;
  await client.end();
  return undefined;
}

/**
 * Makes a joined process the one service of its DATA_DIR.
 * @throws DataDirInUse when another one is, which is left in peace
 */
export async function becomeService(client: pg.Client, dataDir: string): Promise<void> {
  const since = Date.now();
  while (!(await ask(client, `pg_try_advisory_lock(${OWN})`))) {
    const pid = await ownerPid(client);
    // A predecessor that is just stopping, or whose kill PostgreSQL has yet to notice, is waited for.
    const patience = pid && !isAlive(pid) ? PATIENCE_WITH_THE_DEAD_MS : PATIENCE_MS;
    if (Date.now() - since > patience) throw new DataDirInUse(dataDir, pid);
    await sleep(50);
  }
}

/**
 * Leaves the users of the cluster. True: this was the last one, nobody can join any more, and it must stop the cluster.
 * The share is given up before the whole is asked for, so that of two leaving at once one is the last.
 */
export async function leaveCluster(client: pg.Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_all()`);
  return ask(client, `pg_try_advisory_lock(${USE})`);
}

async function ownerPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND (classid, objid) = (${OWN}) AND objsubid = 2`,
  );
  return Number(rows[0]?.name.split(" ")[1]) || undefined;
}

async function ask(client: pg.Client, what: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(`SELECT ${what} AS answer`);
  return rows[0]?.answer === true;
}
