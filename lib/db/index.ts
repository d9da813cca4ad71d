import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { perProcess } from "./per-process";
import * as schema from "./schema";

export type Database = NodePgDatabase<typeof schema>;
/** A transaction, or the database itself where a caller needs none. */
export type Tx = Pick<Database, "select" | "insert" | "update" | "delete" | "execute" | "query" | "_">;

type Opened = { url: string; pool: pg.Pool; db: Database; closing: (() => Promise<void>)[] };
const state = perProcess<{ opened?: Opened }>("db", () => ({}));

/** Opens the connection pool of this process; a second call with the same address does nothing. */
export function openDatabase(url: string, poolSize = 20): Database {
  if (state.opened?.url === url) return state.opened.db;
  if (state.opened) throw new Error("the database of this process is open already, at another address");
  // Sessions in UTC: the text of every instant then ends in +00 (lib/time/instant.ts). A stuck statement must not hold a slot forever.
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    options: "-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000",
    application_name: `carillon ${process.pid}`,
  });
  // A connection broke: a query on it fails by itself, an idle one is replaced by the next query's.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  state.opened = { url, pool, db: drizzle(pool, { schema }), closing: [] };
  return state.opened.db;
}

export function isDatabaseOpen(): boolean {
  return state.opened !== undefined;
}

export async function closeDatabase(): Promise<void> {
  const opened = state.opened;
  state.opened = undefined;
  for (const step of opened?.closing ?? []) await step();
  await opened?.pool.end();
}

/** What has to end before the database of this process is closed. */
export function beforeClosing(step: () => Promise<void>): void {
  opened().closing.push(step);
}

function opened(): Opened {
  if (!state.opened) throw new Error("the database is not open yet");
  return state.opened;
}

const surrounding = perProcess("db.surrounding", () => new AsyncLocalStorage<Database>());

/** The database of this process, or the transaction that surrounds the call; modules may import it before it is open. */
export const db: Database = new Proxy({} as Database, {
  get(_, property) {
    const current = surrounding.getStore() ?? opened().db;
    const value = Reflect.get(current, property);
    return typeof value === "function" ? value.bind(current) : value;
  },
});

/**
 * Does work in one transaction that also holds everything the work does by `db`, its own transactions as savepoints: for
 * what must be kept together with work that knows nothing of it. No network call belongs inside.
 */
export async function shareTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return opened().db.transaction((tx) => surrounding.run(asDatabase(tx), () => work(tx)));
}

/** Does work by the database itself, whatever transaction surrounds the call: for what stays although that is undone. */
export function besideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return surrounding.exit(work);
}

/** A transaction offers whatever callers of `db` use; only the pool beneath is missing from it. */
function asDatabase(tx: Tx): Database {
  return tx as Database;
}

/** The pool beneath, for the job engine. */
export function databasePool(): pg.Pool {
  return opened().pool;
}

/** A connection of its own, outside the pool: for session advisory locks and LISTEN. */
export async function dedicatedConnection(purpose: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: opened().url,
    options: "-c timezone=UTC",
    application_name: `carillon ${process.pid} ${purpose}`,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  return client;
}

/** The database's clock, which decides everything about time. */
export async function databaseNow(tx: Tx = db): Promise<Date> {
  const { rows } = await tx.execute<{ now: string }>(
    sql`select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  return new Date(rows[0]?.now ?? Number.NaN);
}

/**
 * Whether a query failed because the database cannot be reached or is just starting or stopping (classes 08 and 57P), or
 * because it can store nothing: its disk is full or its connections are used up (53), it is read-only (25006).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (/^(08|53|57P|25006|ECONNREFUSED|ECONNRESET|EPIPE)/.test(code) || /^Connection terminated/.test(error.message))
    return true;
  return isDatabaseUnavailable(error.cause);
}

export * from "./schema";
