import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { perProcess } from "./per-process";
import * as schema from "./schema";

export type Database = NodePgDatabase<typeof schema>;
/** A transaction, or the database itself for callers that need no transaction. */
export type Tx = Pick<Database, "select" | "insert" | "update" | "delete" | "execute" | "query" | "_">;

type Opened = { url: string; pool: pg.Pool; db: Database; closing: (() => Promise<void>)[] };
const state = perProcess<{ opened?: Opened }>("db", () => ({}));

/** An intent must be on disk before its call, whatever the server's default is. */
const SESSION = "-c timezone=UTC -c synchronous_commit=on";

/** Opens the connection pool of this process. A second call with the same URL returns the same database. */
export function openDatabase(url: string, poolSize = 20): Database {
  if (state.opened?.url === url) return state.opened.db;
  if (state.opened) throw new Error("the database of this process is already open at another URL");
  // Sessions use UTC, so that the text of every instant ends in +00 (lib/time/instant.ts). The timeouts free the connection
  // of a statement that hangs, and end the wait for a connection.
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 30_000,
    options: `${SESSION} -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000`,
    application_name: `carillon ${process.pid}`,
  });
  // When a connection breaks, its query fails on its own, and the pool replaces an idle connection.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  state.opened = { url, pool, db: releasingConnections(drizzle(pool, { schema }), pool), closing: [] };
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
  await opened.pool.end();
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

/** The connection pool, for the job engine. */
export function databasePool(): pg.Pool {
  return opened().pool;
}

/** Opens a connection outside the pool, for session advisory locks and LISTEN. */
export async function dedicatedConnection(purpose: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: opened().url,
    options: SESSION,
    application_name: `carillon ${process.pid} ${purpose}`,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
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
 * True if a query failed because the database is unreachable, starting or stopping (SQLSTATE classes 08 and 57P), or cannot
 * store anything: disk full or out of connections (53), read-only (25006).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (/^(08|53|57P|25006|ECONNREFUSED|ECONNRESET|EPIPE)/.test(code) || LOST_CONNECTION.test(error.message)) return true;
  return isDatabaseUnavailable(error.cause);
}

export * from "./schema";
