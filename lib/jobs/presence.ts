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

type Release = (tx: Tx, workerId: string) => Promise<void>;
/** How this process stands among the workers: its row, and the connection that holds the row's lock. */
type Registration = { id: string; hold: Client; held: boolean };

/**
 * Announces this process as a worker: a row with a heartbeat, and a session advisory lock that the kernel gives back when
 * the process dies. Whoever is announced also watches the others, and frees what dead ones held. A process that was taken
 * for dead, or lost its lock, gives up what it had claimed and announces itself anew under another id.
 */
export async function announceWorker(releaseClaims: Release): Promise<Presence> {
  let standing = await announce();
  let poolId: string | undefined;
  let beating = false;
  let left = false;

  async function beat(): Promise<void> {
    if (standing.held && (await touch(standing.id))) return;
    standing.held = false;
    const { id, hold } = standing;
    await hold.end().catch(() => {});
    standing = await announce(poolId, async (tx) => {
      await releaseClaims(tx, id);
      await tx.delete(workers).where(eq(workers.id, id));
    });
    log.warn({ worker: id, now: standing.id }, "this worker had lost its hold; it goes on under another id");
  }

  const timer = setInterval(async () => {
    if (beating) return;
    beating = true;
    try {
      await beat();
      await sweep(releaseClaims);
    } catch (error) {
      if (!left) log.warn({ error: String(error) }, "a worker's heartbeat failed");
    } finally {
      beating = false;
    }
  }, BEAT_MS);

  return {
    worker: {
      get id() {
        return standing.id;
      },
      assertAlive() {
        if (!standing.held) throw new WorkerLost();
      },
    },
    async setPool(pool) {
      const ended = poolId;
      poolId = pool;
      await db.transaction(async (tx) => {
        // An engine that gave up may have left jobs locked whose end it could not record.
        if (ended) await tx.execute(sql`select graphile_worker.force_unlock_workers(array[${ended}])`);
        await tx.update(workers).set({ poolId }).where(eq(workers.id, standing.id));
      });
    },
    async leave() {
      left = true;
      clearInterval(timer);
      await db.transaction(async (tx) => {
        await releaseClaims(tx, standing.id);
        await tx.delete(workers).where(eq(workers.id, standing.id));
      });
      standing.held = false;
      await standing.hold.end();
    },
  };
}

async function announce(poolId?: string, before?: (tx: Tx) => Promise<void>): Promise<Registration> {
  const id = randomUUID();
  const lockKey = await db.transaction(async (tx) => {
    await before?.(tx);
    const [row] = await tx.insert(workers).values({ id, poolId }).returning({ lockKey: workers.lockKey });
    if (!row) throw new Error("the worker could not announce itself");
    return row.lockKey;
  });
  const standing: Registration = { id, hold: await dedicatedConnection("worker"), held: true };
  const lost = () => {
    standing.held = false;
  };
  standing.hold.on("error", lost).on("end", lost);
  await standing.hold.query("select pg_advisory_lock($1, $2)", [WORKER_LOCK, lockKey]);
  return standing;
}

/** Beats; false where somebody took this worker for dead and removed its row. */
async function touch(id: string): Promise<boolean> {
  const rows = await db
    .update(workers)
    .set({ heartbeatAt: sql`clock_timestamp()` })
    .where(eq(workers.id, id))
    .returning({ id: workers.id });
  return rows.length > 0;
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
async function sweep(releaseClaims: Release): Promise<void> {
  const silent = await db
    .select({
      id: workers.id,
      poolId: workers.poolId,
      lockKey: workers.lockKey,
      stalled: sql<boolean>`${workers.heartbeatAt} < now() - make_interval(secs => ${STALLED_SECONDS})`,
    })
    .from(workers)
    .where(lt(workers.heartbeatAt, sql`now() - make_interval(secs => ${SILENT_SECONDS})`));
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
