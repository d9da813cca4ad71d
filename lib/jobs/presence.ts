import { randomUUID } from "node:crypto";
import { eq, lt, sql } from "drizzle-orm";
import type { Client } from "pg";
import { databasePool, db, dedicatedConnection, type Tx, workers } from "../db";
import { log } from "../log";
import type { Worker } from "./job";

/** The first half of every worker's advisory lock; its `lock_key` is the second. */
const WORKER_LOCK = 4_711;
const BEAT_MS = 2_500;
/** A heartbeat older than this is old; together with a free lock it proves the process dead. */
const SILENT_SECONDS = 8;
/** A silent process that keeps its lock (stopped, not dead) loses its jobs too, once its claims have run out. */
const STALLED_SECONDS = 45;

export class WorkerLost extends Error {
  constructor() {
    super("this worker has lost its hold on the database; its work is for others now");
    this.name = "WorkerLost";
  }
}

export type Presence = { worker: Worker; setPool(poolId: string): Promise<void>; leave(): Promise<void> };

/**
 * Announces this process as a worker: a row with a heartbeat, and a session advisory lock that the kernel gives back when
 * the process dies. Whoever is announced also watches the others, and frees what dead ones held.
 */
export async function join(releaseClaims: (tx: Tx, workerId: string) => Promise<void>): Promise<Presence> {
  const id = randomUUID();
  const [row] = await db.insert(workers).values({ id }).returning();
  if (!row) throw new Error("the worker could not announce itself");
  let hold = await takeLock(row.lockKey);
  let held = true;
  let left = false;
  hold.on("error", () => {
    held = false;
  });

  async function beat(): Promise<void> {
    if (!held) {
      hold = await takeLock(row?.lockKey ?? 0);
      hold.on("error", () => {
        held = false;
      });
      held = true;
    }
    const beaten = await db
      .update(workers)
      .set({ beatAt: sql`clock_timestamp()` })
      .where(eq(workers.id, id))
      .returning();
    if (beaten.length === 0) held = false; // somebody took us for dead: our claims are theirs now
    await sweep(releaseClaims);
  }

  const timer = setInterval(() => {
    beat().catch((error) => left || log.warn({ error: String(error) }, "a worker's heartbeat failed"));
  }, BEAT_MS);

  return {
    worker: {
      id,
      assertAlive() {
        if (!held) throw new WorkerLost();
      },
    },
    async setPool(poolId) {
      await db.update(workers).set({ poolId }).where(eq(workers.id, id));
    },
    async leave() {
      left = true;
      clearInterval(timer);
      await db.delete(workers).where(eq(workers.id, id));
      await hold.end();
    },
  };
}

async function takeLock(key: number): Promise<Client> {
  const client = await dedicatedConnection("worker");
  await client.query("select pg_advisory_lock($1, $2)", [WORKER_LOCK, key]);
  return client;
}

/** Whether a worker can still be running: its row is there, and its lock is held or its heartbeat is fresh. */
export async function isPossiblyAlive(workerId: string): Promise<boolean> {
  const [row] = await db.select().from(workers).where(eq(workers.id, workerId));
  return row !== undefined && !(await isLockFree(row.lockKey));
}

async function isLockFree(key: number): Promise<boolean> {
  const client = await databasePool().connect();
  try {
    const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as free", [WORKER_LOCK, key]);
    if (rows[0]?.free) await client.query("select pg_advisory_unlock($1, $2)", [WORKER_LOCK, key]);
    return Boolean(rows[0]?.free);
  } finally {
    client.release();
  }
}

/** Frees the jobs and claims of workers that are dead; a stopped one loses its jobs only, its claims run out by themselves. */
async function sweep(releaseClaims: (tx: Tx, workerId: string) => Promise<void>): Promise<void> {
  const silent = await db
    .select({
      id: workers.id,
      poolId: workers.poolId,
      lockKey: workers.lockKey,
      stalled: sql<boolean>`${workers.beatAt} < now() - make_interval(secs => ${STALLED_SECONDS})`,
    })
    .from(workers)
    .where(lt(workers.beatAt, sql`now() - make_interval(secs => ${SILENT_SECONDS})`));
  for (const { id, poolId, lockKey, stalled } of silent) {
    const dead = await isLockFree(lockKey);
    if (!dead && !stalled) continue;
    await db.transaction(async (tx) => {
      if (poolId) await tx.execute(sql`select graphile_worker.force_unlock_workers(array[${poolId}])`);
      if (!dead) return;
      await releaseClaims(tx, id);
      await tx.delete(workers).where(eq(workers.id, id));
    });
    if (dead) log.warn({ worker: id }, "a worker died; its work is free again");
  }
}
