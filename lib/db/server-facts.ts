import { sql } from "drizzle-orm";
import { databasePool, db } from "./index";

/** Settings of PostgreSQL that decide whether a commit survives a crash, and whether a process can write at all. */
const SETTINGS = ["fsync", "full_page_writes", "synchronous_commit", "TimeZone", "transaction_read_only"] as const;

export type ServerFacts = {
  /** Such as 180004 for 18.4. */
  versionNumber: number;
  settings: { [setting in (typeof SETTINGS)[number]]: string };
  /** How many seconds the database's clock is ahead of this machine's. */
  clockAheadSeconds: number;
  connections: {
    /** Connections that ordinary roles may open. */
    max: number;
    /** All open ones, of any program. */
    open: number;
    /** The connections of each process of Carillon, without this one. */
    processes: { host: string; pid: number; connections: number; ownConnections: number }[];
    /** How many the pool of a process may open. */
    poolSize: number;
    /** How many would be open if every process used its whole pool. */
    peak: number;
  };
};

/** Reads what the database server tells about itself and about the connections of all processes. */
export async function readServerFacts(): Promise<ServerFacts> {
  const startedMs = Date.now();
  const { rows } = await db.execute<{ nowMs: number; versionNumber: number; max: number; open: number }>(sql`
    select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs",
      current_setting('server_version_num')::int as "versionNumber",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as max,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open`);
  const [{ nowMs, versionNumber, max, open } = { nowMs: 0, versionNumber: 0, max: 0, open: 0 }] = rows;
  const processes = await listProcesses();
  const poolSize = databasePool().most;
  const others = open - processes.reduce((sum, { connections }) => sum + connections, 0);
  const peak = processes.reduce((sum, { ownConnections }) => sum + ownConnections + poolSize, others);
  return {
    versionNumber,
    settings: await readServerSettings(),
    clockAheadSeconds: Math.round((nowMs - (startedMs + Date.now()) / 2) / 100) / 10,
    connections: { max, open, processes, poolSize, peak },
  };
}

async function readServerSettings(): Promise<ServerFacts["settings"]> {
  const pairs = SETTINGS.map((name) => sql`${name}::text, current_setting(${name})`);
  const { rows } = await db.execute<{ settings: ServerFacts["settings"] }>(
    sql`select json_build_object(${sql.join(pairs, sql`, `)}) as settings`,
  );
  if (!rows[0]) throw new Error("the database did not return its settings");
  return rows[0].settings;
}

/**
 * Every connection of Carillon is named `carillon <pid>`, with its purpose unless it belongs to the pool (`ownConnections` are
 * those with a purpose). Process IDs are counted per host, because containers often have the same one.
 */
async function listProcesses(): Promise<ServerFacts["connections"]["processes"]> {
  const { rows } = await db.execute<ServerFacts["connections"]["processes"][number]>(sql`
    with named as (
      select coalesce(host(client_addr), 'local') as host, client_addr,
        substring(application_name from '^carillon(?:-[a-z]+)? ([0-9]+)')::int as pid,
        application_name !~ '^carillon [0-9]+$' as is_own
      from pg_stat_activity where datname = current_database()
    )
    select host, pid, count(*)::int as connections, count(*) filter (where is_own)::int as "ownConnections" from named
    where pid is not null and (pid, client_addr) is distinct from (${process.pid}::int, inet_client_addr())
    group by host, pid order by host, pid`);
  return rows;
}
