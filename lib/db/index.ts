import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { Connection, ConnectionPool, type LimitKind, SESSION_OPTIONS, UNAVAILABLE_CODES } from "./connection";
import { perProcess } from "./per-process";
import * as schema from "./schema";

export type Database = NodePgDatabase<typeof schema>;
/** A transaction, or the database itself for callers that need no transaction. */
export type Tx = Pick<Database, "select" | "insert" | "update" | "delete" | "execute" | "query" | "_">;

type Opened = {
  url: string;
  /** The URL of the same database without a pooler, if there is one in between. */
  directUrl?: string;
  pool: ConnectionPool;
  /** The job engine's own connections, if the pool leads to a pooler. */
  jobPool?: ConnectionPool;
  db: Database;
  closing: (() => Promise<void>)[];
};
const state = perProcess<{ opened?: Opened }>("db", () => ({}));

/**
 * How long an unused connection stays open. A new one is expensive, because PostgreSQL plans every statement again for it, and
 * requests often come in bursts with some seconds between them.
 */
const IDLE_MS = 60_000;

export type OpenOptions = {
  /** The most connections in the pool. */
  poolSize?: number;
  /**
   * Set if the first URL leads to a pooler in transaction mode, such as PgBouncer. Then the pool uses nothing that belongs to a
   * session: no named statements and no settings. Locks, notifications and jobs use this URL.
   */
  directUrl?: string;
  /** Whose time limits apply to this process. Workers in it use `inBackground`. */
  limits?: LimitKind;
};

/** Opens the connection pool of this process. A second call with the same URL returns the same database. */
export function openDatabase(
  url: string,
  { poolSize = 20, directUrl, limits = "request" }: OpenOptions = {},
): Database {
  if (state.opened?.url === url) return state.opened.db;
  if (state.opened) throw new Error("the database of this process is already open at another URL");
  const config = {
    ...{ connectionString: url, max: poolSize, application_name: `carillon ${process.pid}` },
    idleTimeoutMillis: IDLE_MS,
  };
  const pool = new ConnectionPool(config, limits, directUrl === undefined);
  state.opened = { url, directUrl, pool, db: releasingConnections(drizzle(pool, { schema }), pool), closing: [] };
  return state.opened.db;
}

type Transaction = Database["transaction"];

/**
 * Takes the connection of each transaction from the pool and returns it. Drizzle does this itself, but keeps the connection
 * for ever if `begin` fails, as on a connection that has just been killed. Twenty of those would stop the process.
 */
function releasingConnections(database: Database, pool: pg.Pool): Database {
  const session = database._.session as unknown as { transaction: Transaction };
  const transaction = session.transaction;
  session.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      const own: typeof session = Object.create(session, {
        client: { value: client },
        transaction: { value: transaction },
      });
      return await own.transaction(work, config);
    } finally {
      client.release();
    }
  };
  return database;
}

export function isDatabaseOpen(): boolean {
  return state.opened !== undefined;
}

export async function closeDatabase(): Promise<void> {
  const opened = state.opened;
  for (const step of opened?.closing.splice(0) ?? []) await step(); // steps still use the database
  if (!opened || state.opened !== opened) return;
  state.opened = undefined;
  await Promise.all([opened.pool.end(), opened.jobPool?.end()]);
}

/** Registers a step that runs before the database of this process closes. */
export function beforeClosing(step: () => Promise<void>): void {
  opened().closing.push(step);
}

function opened(): Opened {
  if (!state.opened) throw new Error("the database is not open yet");
  return state.opened;
}

/**
 * The database of this process. It never joins a transaction: code inside a transaction takes a `tx` parameter. Modules may
 * import it before the database is open.
 */
export const db: Database = lazyDatabase(() => opened().db);

const shared = perProcess("db.shared-transaction", () => new AsyncLocalStorage<Database>());

/**
 * Like `db`, but inside `shareTransaction` it joins that transaction, and its own transactions become savepoints. Used by
 * the verbs behind `POST` routes, whose work commits together with the answer stored under an Idempotency-Key.
 */
export const dbOrTransaction: Database = lazyDatabase(() => shared.getStore() ?? opened().db);

/** Runs `work` in one transaction that every use of `dbOrTransaction` inside it joins. Make no network call inside. */
export async function shareTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return opened().db.transaction((tx) => shared.run(asDatabase(tx), () => work(tx)));
}

/** Runs `work` outside the shared transaction of its caller: for work that several callers share. */
export function outsideSharedTransaction<T>(work: () => Promise<T>): Promise<T> {
  return shared.exit(work);
}

function lazyDatabase(current: () => Database): Database {
  return new Proxy({} as Database, {
    get(_, property) {
      const database = current();
      const value = Reflect.get(database, property);
      return typeof value === "function" ? value.bind(database) : value;
    },
  });
}

/** Safe because a transaction has everything that callers of `dbOrTransaction` use; it only lacks the pool. */
function asDatabase(tx: Tx): Database {
  return tx as Database;
}

/** The connection pool, for code that bypasses the query builder. */
export function databasePool(): ConnectionPool {
  return opened().pool;
}

/** The connections of the job engine: one listens, the others take and complete jobs. */
const JOB_CONNECTIONS = 4;

/** The pool for the job engine, which listens for notifications and so needs sessions. Usually the pool of the process. */
export function jobEnginePool(): pg.Pool {
  const now = opened();
  if (!now.directUrl) return now.pool.forWorkers();
  const application_name = `carillon ${process.pid} jobs`;
  const config = { connectionString: now.directUrl, max: JOB_CONNECTIONS, application_name };
  now.jobPool ??= new ConnectionPool(config, "background");
  return now.jobPool.forWorkers();
}

/** True if consecutive statements of the pool share a session, so that they can be prepared under a name. */
export function hasSessions(): boolean {
  return state.opened?.directUrl === undefined;
}

/** Opens a connection outside the pool, for session advisory locks and LISTEN. */
export async function dedicatedConnection(purpose: string, limits?: LimitKind): Promise<pg.Client> {
  const client = new Connection({
    connectionString: opened().directUrl ?? opened().url,
    options: SESSION_OPTIONS,
    application_name: `carillon ${process.pid} ${purpose}`,
  });
  client.limits = limits;
  await client.connect();
  return client;
}

/** The time on the database's clock, which decides everything that depends on time. */
export async function databaseNow(tx: Tx = db): Promise<Date> {
  const { rows } = await tx.execute<{ now: string }>(
    sql`select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  return new Date(rows[0]?.now ?? Number.NaN);
}

/** PostgreSQL's error 23505, also if the query layer wrapped it. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "23505") || isUniqueViolation(error.cause);
}

/** The driver's errors without a code: the connection broke before or during the query, or none became free in time. */
const LOST_CONNECTION =
  /^(Connection terminated|Client (has encountered|was closed)|timeout exceeded when trying to connect)/;

/**
 * True if a query failed because the database is unreachable, starting or stopping (SQLSTATE classes 08 and 57P), did not
 * answer or get a lock in time (57014, 55P03), or cannot store anything: disk full or out of connections (53), read-only (25006).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (UNAVAILABLE_CODES.test(code) || /^(ECONNREFUSED|ECONNRESET|EPIPE)/.test(code)) return true;
  return LOST_CONNECTION.test(error.message) || isDatabaseUnavailable(error.cause);
}

export { inBackground } from "./connection";
export { isDatabaseTroubled } from "./gate";
export * from "./schema";
