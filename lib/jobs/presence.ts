import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Client } from "pg";
import { db, type Tx, workers } from "../db";
import { WORKER_LOCK_CLASS } from "../db/locks";
import { statement } from "../db/statement";
import { checkInstallation, knownMarks, leaderConnection } from "../installation";
import { log } from "../log";
import { version } from "../version";
import type { Worker } from "./job";

const HEARTBEAT_INTERVAL_MS = 2_500;
/** Workers with an older heartbeat are checked. If the lock of such a worker is free, its process is dead. */
const SILENT_SECONDS = 8;
/** A worker that is silent for this long but still holds its lock is suspended. Its jobs are released; its claims expire. */
const STALLED_SECONDS = 45;

export class WorkerLost extends Error {
  constructor() {
    super("this worker lost its lock in the database; other workers take over its work");
    this.name = "WorkerLost";
  }
}

export type Presence = {
  worker: Worker;
  /** The connection that holds the lock of this worker, for the locks of its loops. `lost` is aborted when it breaks. */
  leader(): Leader;
  setPool(poolId: string): Promise<void>;
  leave(): Promise<void>;
};

export type Leader = { connection: Client; lost: AbortSignal };

type Release = (tx: Tx, workerId: string) => Promise<void>;
/** The row of this process in `workers`, and the connection that holds the row's lock until `lost`. */
type Registration = { id: string; connection: Client; lost: AbortController };
const isLocked = ({ lost }: Registration) => !lost.signal.aborted;

/**
 * Registers this process as a worker. A worker has a row in `workers` with a heartbeat, and holds a session advisory lock
 * that PostgreSQL releases when the process dies. Each worker also checks the others and releases the jobs and claims of dead
 * ones. A worker that lost its lock, or whose row another worker deleted, releases its claims and registers under a new ID.
 */
export async function announceWorker(releaseClaims: Release): Promise<Presence> {
  let registration = await register();
  let poolId: string | undefined;
  let isBeating = false;
  let hasLeft = false;

  async function beat(): Promise<void> {
    if (isLocked(registration) && (await updateHeartbeat(registration))) return;
    registration.lost.abort();
    const { id, connection } = registration;
    await connection.end().catch(() => {});
    // The connection may lead to another server now, or to a database that went back in time.
    await checkInstallation(knownMarks());
    registration = await register(poolId, async (tx) => {
      await releaseClaims(tx, id);
      await tx.delete(workers).where(eq(workers.id, id));
    });
    log.warn({ worker: id, now: registration.id }, "this worker lost its lock and continues under a new ID");
  }

  const timer = setInterval(async () => {
    if (isBeating) return;
    isBeating = true;
    try {
      await beat();
      await releaseDeadWorkers(releaseClaims);
    } catch (error) {
      if (!hasLeft) log.warn({ error: String(error) }, "the heartbeat of this worker failed");
    } finally {
      isBeating = false;
    }
  }, HEARTBEAT_INTERVAL_MS);

  return {
    worker: {
      get id() {
        return registration.id;
      },
      assertAlive() {
        if (!isLocked(registration)) throw new WorkerLost();
      },
    },
    leader: () => ({ connection: registration.connection, lost: registration.lost.signal }),
    async setPool(pool) {
      const previous = poolId;
      poolId = pool;
      await db.transaction(async (tx) => {
        // A job engine that stopped may have left jobs locked, because it could not record their end.
        if (previous) await tx.execute(sql`select graphile_worker.force_unlock_workers(array[${previous}])`);
        await tx.update(workers).set({ poolId }).where(eq(workers.id, registration.id));
      });
    },
    async leave() {
      hasLeft = true;
      clearInterval(timer);
      await db.transaction(async (tx) => {
        await releaseClaims(tx, registration.id);
        await tx.delete(workers).where(eq(workers.id, registration.id));
      });
      registration.lost.abort();
      await registration.connection.end();
    },
  };
}

async function register(poolId?: string, before?: (tx: Tx) => Promise<void>): Promise<Registration> {
  const id = randomUUID();
  const lockKey = await db.transaction(async (tx) => {
    await before?.(tx);
    const [row] = await tx
      .insert(workers)
      .values({ id, poolId, version: version() })
      .returning({ lockKey: workers.lockKey });
    if (!row) throw new Error("the worker could not be registered");
    return row.lockKey;
  });
  const connection = await leaderConnection();
  const lost = new AbortController();
  connection.on("error", () => lost.abort()).on("end", () => lost.abort());
  await connection.query("select pg_advisory_lock($1, $2)", [WORKER_LOCK_CLASS, lockKey]);
  return { id, connection, lost };
}

/**
 * Updates the heartbeat on the worker's own connection, which proves that this connection still works. Returns false if
 * another worker considered this one dead and deleted its row.
 */
async function updateHeartbeat({ id, connection }: Registration): Promise<boolean> {
  const text = "update workers set heartbeat_at = clock_timestamp() where id = $1";
  const { rowCount } = await connection.query({ name: "workers.heartbeat", text, values: [id] });
  return rowCount === 1;
}

/** True if a worker may still be running: its row exists and its lock is held. The heartbeat is not considered. */
export async function isPossiblyAlive(workerId: string): Promise<boolean> {
  const [row] = await db.select().from(workers).where(eq(workers.id, workerId));
  return row !== undefined && !(await isLockFree(row.lockKey));
}

/** A worker as its row and its lock show it. */
export type ListedWorker = {
  id: string;
  /** The release and build; undefined for a release that did not store it. */
  version?: string;
  startedTime: string;
  /** Seconds since its last heartbeat. */
  silentSeconds: number;
  /** False if its heartbeat is old. */
  isAlive: boolean;
};

/** Lists the workers that have a row, the oldest first. */
export async function listWorkers(): Promise<ListedWorker[]> {
  const silentSeconds = sql<number>`extract(epoch from clock_timestamp() - ${workers.heartbeatAt})::float8`;
  const rows = await db
    .select({ id: workers.id, version: workers.version, startedAt: workers.startedAt, silentSeconds })
    .from(workers)
    .orderBy(workers.startedAt);
  return rows.map(({ id, version, startedAt, silentSeconds }) => ({
    ...{ id, ...(version ? { version } : {}), startedTime: new Date(startedAt).toISOString() },
    ...{ silentSeconds: Math.round(silentSeconds * 10) / 10, isAlive: silentSeconds < SILENT_SECONDS },
  }));
}

/** The lock of the transaction, which ends with this statement, conflicts with the session lock of the worker. */
async function isLockFree(key: number): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${sql.raw(String(WORKER_LOCK_CLASS))}, ${key}) as free`,
  );
  return rows[0]?.free === true;
}

const readSilent = statement<
  Record<never, never>,
  { id: string; poolId: string | null; lockKey: number; stalled: boolean }
>(
  "workers.silent",
  sql`
  select id, pool_id as "poolId", lock_key as "lockKey", heartbeat_at < now() - interval '${sql.raw(String(STALLED_SECONDS))} seconds' as stalled
  from workers where heartbeat_at < now() - interval '${sql.raw(String(SILENT_SECONDS))} seconds'`,
);

/** Releases the jobs and claims of dead workers. A suspended worker loses only its jobs; its claims expire on their own. */
async function releaseDeadWorkers(releaseClaims: Release): Promise<void> {
  const silent = await readSilent(db, {});
  for (const { id, poolId, lockKey, stalled } of silent) {
    const dead = await isLockFree(lockKey);
    if (!dead && !stalled) continue;
    await db.transaction(async (tx) => {
      if (poolId) await tx.execute(sql`select graphile_worker.force_unlock_workers(array[${poolId}])`);
      if (!dead) return;
      await releaseClaims(tx, id);
      await tx.delete(workers).where(eq(workers.id, id));
    });
    if (dead) log.warn({ worker: id }, "a worker died; its work was released");
  }
}
