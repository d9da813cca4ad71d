import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations as runJobMigrations } from "graphile-worker";
import pg from "pg";
import { addDayPartitions } from "./days";
import { MIGRATION_LOCK } from "./locks";
import { type Migration, readMigrations } from "./migration-files";

// The schema of a database and of a release are compared by their migrations. The database lists its migrations in Drizzle's
// table, with a column that says which of them a release must know (`is_contract`). If a release misses other migrations of the
// database only, it still works: so the previous release can run beside a new one and after it (ADR 29).

/** The schema of the database does not fit this release. The message says what to do. */
export class WrongSchema extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WrongSchema";
  }
}

type Options = {
  /** Receives what the person who waits should know: each migration that is applied, and why it waits. */
  say?: (line: string) => void;
  /** Ends the waiting for other processes and transactions. A migration that has begun is finished. */
  signal?: AbortSignal;
  migrations?: Migration[];
  /** How long a question about the schema or the lock may take, in milliseconds. */
  answerMs?: number;
};

type State = { isEmpty: boolean; pending: Migration[] };

/** How long a statement waits for a lock on a table. Meanwhile, every later statement on the table waits behind it. */
const LOCK_TIMEOUT = "2s";
const LOCK_ATTEMPTS = 30;
/** Lock timeout and deadlock. */
const LOCK_ERRORS = ["55P03", "40P01"];
const WAIT_BEFORE_SAYING_MS = 1_000;

/**
 * Migrates the database to the newest schema, both ours and the job engine's, and returns the names of the migrations that it
 * applied. One process migrates at a time; the others wait.
 * @throws WrongSchema if the database belongs to a newer release that this one does not fit
 */
export function migrate(url: string, options: Options = {}): Promise<string[]> {
  return withClient(url, (client) => migrateWith(client, url, () => true, options));
}

/**
 * Prepares the schema for a process that starts. An empty database is migrated; an older one only with `mayUpgrade`. If another
 * process is migrating, waits for its end.
 * @throws WrongSchema if the database has an older schema, or a newer one that this release does not fit; AbortError after `signal`
 */
export async function prepareSchema(url: string, mayUpgrade: boolean, options: Options = {}): Promise<void> {
  await withClient(url, async (client) => {
    const { pending } = await stateOf(client, options.migrations, options.answerMs);
    if (pending.length > 0) await migrateWith(client, url, ({ isEmpty }) => isEmpty || mayUpgrade, options);
  });
}

/** A migration takes as long as it needs, whatever the role and the server have. An operator may stop it at any time. */
const NO_LIMITS = "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0";

const CONNECT_MS = 10_000;
/** As docs/operate.md says for a process that starts while the database answers slowly. */
const ANSWER_MS = 30_000;
/** Where the machine of the database is gone, the system notices it some minutes later, although the statement has no limit. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Runs `work` on a connection of its own. To connect takes at most 10 s, and questions about the schema and the lock at most 30 s each.
 * Statements of a migration have no limit, because an index of a large table may take hours, and to cut it off would lose that work.
 */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const application_name = `carillon ${process.pid} migrate`;
  const limits = { connectionTimeoutMillis: CONNECT_MS, options: NO_LIMITS, ...KEEP_ALIVE };
  const client = new pg.Client({ connectionString: url, application_name, ...limits });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end(); // also releases the lock
  }
}

/** A question that is given up after a time. The driver has such a limit for one query, but does not declare it. */
function limited(text: string, answerMs: number, values: unknown[] = []): pg.QueryConfig {
  return { text, values, query_timeout: answerMs } as pg.QueryConfig;
}

async function migrateWith(client: pg.Client, url: string, mayApply: (state: State) => boolean, options: Options) {
  const { say = () => {}, signal, answerMs } = options;
  await takeLock(client, say, signal, answerMs);
  const state = await stateOf(client, options.migrations, answerMs);
  if (state.pending.length > 0 && !mayApply(state)) throw tooOld(state.pending);
  await runJobMigrations({ connectionString: url }); // first, so that a database with all of our migrations has these too
  if (state.pending.length > 0) await createTable(client);
  for (const migration of state.pending) {
    signal?.throwIfAborted();
    if (!state.isEmpty) say(`Migrating the database: ${migration.name}`);
    await apply(client, migration, say, signal);
  }
  await addDayPartitions(client);
  return state.pending.map(({ name }) => name);
}

function tooOld(pending: Migration[]): WrongSchema {
  const missing = pending.map(({ name }) => name).join(", ");
  return new WrongSchema(
    `The database has the schema of an older release (missing: ${missing}). Run this once, then start again: npm run carillon -- migrate`,
  );
}

/** Asks again and again instead of waiting inside PostgreSQL, because CREATE INDEX CONCURRENTLY waits for every running statement. */
async function takeLock(
  client: pg.Client,
  say: (line: string) => void,
  signal?: AbortSignal,
  answerMs = ANSWER_MS,
): Promise<void> {
  const since = performance.now();
  const text = "select pg_try_advisory_lock($1) as taken";
  for (let isSaid = false; ; await sleep(200, undefined, { signal })) {
    const { rows } = await client.query(limited(text, answerMs, [MIGRATION_LOCK]));
    if (rows[0].taken) return;
    if (isSaid || performance.now() - since < WAIT_BEFORE_SAYING_MS) continue;
    say(`Waiting for another process that migrates the database${await holder(client)}`);
    isSaid = true;
  }
}

async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select a.application_name as name, coalesce(host(a.client_addr), 'this machine') as host,
       extract(epoch from clock_timestamp() - a.backend_start)::int as seconds
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.classid::bigint << 32 | l.objid::bigint = $1
       and l.database = (select oid from pg_database where datname = current_database())`,
    [MIGRATION_LOCK],
  );
  const [found] = rows;
  return found ? `: "${found.name}" on ${found.host}, connected for ${found.seconds} s` : "";
}

/** Returns why this release cannot work on the schema, as a sentence for health checks; undefined if it can. */
export async function schemaProblem(client: Queryable, migrations: Migration[]): Promise<string | undefined> {
  try {
    const { pending } = await stateOf(client, migrations);
    return pending.length > 0 ? "The schema is that of an older release. Run migrate" : undefined;
  } catch (error) {
    if (error instanceof WrongSchema) return "The schema is that of a newer release that this one does not fit";
    throw error;
  }
}

type Queryable = Pick<pg.Client, "query"> | pg.Pool;

/** @throws WrongSchema if the database has a migration that this release must know, but does not */
async function stateOf(client: Queryable, migrations = readMigrations(), answerMs = ANSWER_MS): Promise<State> {
  const applied = await appliedMigrations(client, answerMs);
  const known = new Set(migrations.map(({ when }) => when));
  if (applied.some(({ when, isContract }) => isContract && !known.has(when))) {
    throw new WrongSchema(
      "The database has the schema of a newer release, and this release cannot use it. Start the newer release, or restore a backup from before its migration",
    );
  }
  const done = new Set(applied.map(({ when }) => when));
  return { isEmpty: applied.length === 0, pending: migrations.filter(({ when }) => !done.has(when)) };
}

/** How the schema of the database differs from this release. `unknown` counts the migrations of a newer release. */
export type SchemaDifference = { applied: number; pending: string[]; unknown: number };

/** Compares the migrations of the database with those of this release, and changes nothing. */
export async function compareSchema(client: Queryable): Promise<SchemaDifference> {
  const migrations = readMigrations();
  const applied = new Set((await appliedMigrations(client, ANSWER_MS)).map(({ when }) => when));
  const isApplied = ({ when }: Migration) => applied.has(when);
  const known = migrations.filter(isApplied).length;
  const pending = migrations.filter((migration) => !isApplied(migration)).map(({ name }) => name);
  return { applied: applied.size, pending, unknown: applied.size - known };
}

async function appliedMigrations(
  client: Queryable,
  answerMs: number,
): Promise<{ when: number; isContract: boolean }[]> {
  if (!(await hasTable(client, answerMs))) return [];
  // The first release's table has no column is_contract.
  const text = `select created_at::float8 as "when", coalesce((to_jsonb(m) ->> 'is_contract')::boolean, false) as "isContract"
     from drizzle.__drizzle_migrations m`;
  const { rows } = await client.query(limited(text, answerMs));
  return rows;
}

async function hasTable(client: Queryable, answerMs = ANSWER_MS): Promise<boolean> {
  const text = "select to_regclass('drizzle.__drizzle_migrations') is not null as found";
  const { rows } = await client.query(limited(text, answerMs));
  return rows[0].found;
}

/** Creates the table as Drizzle's own migrator does, which the first release runs at its start, and adds our column. */
async function createTable(client: pg.Client): Promise<void> {
  if (!(await hasTable(client))) {
    await client.query("create schema if not exists drizzle");
    await client.query(
      "create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
    );
  }
  await client.query(
    "alter table drizzle.__drizzle_migrations add column if not exists is_contract boolean not null default false",
  );
}

/** Applies a migration. If other transactions hold locks on its tables, lets them finish and tries again, for about a minute. */
async function apply(
  client: pg.Client,
  migration: Migration,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (migration.isOutsideTransaction ? applyOneByOne : applyAtOnce)(client, migration);
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && LOCK_ERRORS.includes(error.code ?? "");
      if (!isLocked || attempt === LOCK_ATTEMPTS) throw error;
      if (attempt === 1) say(`${migration.name} waits until other transactions release their locks on its tables`);
      await sleep(200 + Math.random() * 800, undefined, { signal });
    }
  }
}

async function applyAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const statement of migration.statements) await client.query(statement);
    await record(client, migration);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Without a lock timeout: CREATE INDEX CONCURRENTLY waits for running transactions, but nothing waits behind it. */
async function applyOneByOne(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await client.query(statement);
  await record(client, migration);
}

async function record(client: pg.Client, { hash, when, isContract }: Migration): Promise<void> {
  const values = [hash, when, isContract];
  await client.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at, is_contract) values ($1, $2, $3)",
    values,
  );
}
