import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { accounts, databasePool, db, dedicatedConnection, publications, schedules, workers } from "../db";
import { releaseClaims } from "../schedules";
import { as, connectAccount, newOwner, schedule, settled, withWorker } from "../testing";
import { enqueue, removeJob } from "./job";
import { announceWorker, isPossiblyAlive, WorkerLost } from "./presence";

withWorker(); // also checks the other workers

/** The row of another worker, whose heartbeat is this many seconds old. */
async function workerSilentFor(seconds: number) {
  const [row] = await db
    .insert(workers)
    .values({
      id: randomUUID(),
      poolId: `pool-${randomUUID()}`,
      heartbeatAt: sql`now() - make_interval(secs => ${seconds})`,
    })
    .returning();
  if (!row) throw new Error("the worker was not stored");
  return { ...row, isThere: async () => (await db.select().from(workers).where(eq(workers.id, row.id))).length > 0 };
}

const gone = (worker: { isThere(): Promise<boolean> }) =>
  vi.waitFor(async () => expect(await worker.isThere()).toBe(false), { timeout: 45_000, interval: 100 });

/** Creates a job of a kind that no worker runs, locked by a worker's pool. Returns a function that reads who holds the lock. */
async function jobLockedBy({ poolId }: { poolId: string | null }): Promise<() => Promise<string | null>> {
  const key = `test.${randomUUID()}`;
  await enqueue(db, { name: key, payload: z.object({}) }, {}, { key });
  onTestFinished(() => removeJob(db, key));
  await db.execute(
    sql`update graphile_worker._private_jobs set locked_by = ${poolId}, locked_at = now() where key = ${key}`,
  );
  return async () => {
    const { rows } = await db.execute<{ locked_by: string | null }>(
      sql`select locked_by from graphile_worker.jobs where key = ${key}`,
    );
    if (!rows[0]) throw new Error("the job is gone");
    return rows[0].locked_by;
  };
}

/** A publication claimed by this worker and a job locked by it, as if it were in the middle of both. */
async function claimedBy(worker: { id: string; poolId: string | null }) {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "X_TWITTER");
  // Without tokens the publication fails on its own, so nothing is posted.
  await db.update(accounts).set({ tokensSealed: null }).where(eq(accounts.id, id));
  const client = as(owner);
  const on = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
  const made = await schedule(client, [on], new Date(Date.now() + 3_600_000));
  const publicationId = made.publications[0]?.id ?? 0;
  const lease = {
    claimWorker: worker.id,
    claimUntil: sql`now() + interval '1 hour'`,
    claimFence: 1,
    status: "IN_PROGRESS",
  } as const;
  await db.update(publications).set(lease).where(eq(publications.id, publicationId));
  await db
    .update(schedules)
    .set({ status: "IN_PROGRESS", scheduledTime: sql`now() - interval '1 second'` })
    .where(eq(schedules.id, made.id));
  const lockedBy = await jobLockedBy(worker);
  const claim = async () => (await db.select().from(publications).where(eq(publications.id, publicationId)))[0];
  return { client, scheduleId: made.id, lockedBy, claim };
}

describe("T5: a dead worker", () => {
  test("loses its jobs and claims at once, and another worker takes over", async () => {
    const dead = await workerSilentFor(0);
    const work = await claimedBy(dead);
    expect(await work.lockedBy()).toBe(dead.poolId);
    // Its heartbeat becomes old only now. On a slow machine it would otherwise be removed before it had claimed anything.
    await db.update(workers).set({ heartbeatAt: sql`now() - interval '9 seconds'` }).where(eq(workers.id, dead.id));
    await gone(dead);
    expect(await work.lockedBy()).toBeNull();
    const seen = await settled(work.client, work.scheduleId);
    expect(seen.publications[0]?.posts[0]?.error).toMatch(/^This account is no longer connected/);
    expect((await work.claim())?.claimWorker).toBeNull();
  });
});

describe("T4: a worker that is suspended but not dead", () => {
  test("keeps its lock and its claims, and loses its jobs after 45 seconds of silence", async () => {
    const stopped = await workerSilentFor(0);
    const hold = await dedicatedConnection("test");
    await hold.query("select pg_advisory_lock(4711, $1)", [stopped.lockKey]);
    const work = await claimedBy(stopped);
    // Its heartbeat becomes old only now. Without its lock it would have been treated as dead.
    await db.update(workers).set({ heartbeatAt: sql`now() - interval '60 seconds'` }).where(eq(workers.id, stopped.id));
    await vi.waitFor(async () => expect(await work.lockedBy()).toBeNull(), { timeout: 45_000 });
    expect(await stopped.isThere()).toBe(true);
    expect(await work.claim()).toMatchObject({ claimWorker: stopped.id, status: "IN_PROGRESS" });
    expect(await isPossiblyAlive(stopped.id)).toBe(true);
    await hold.end(); // now it dies
    await gone(stopped);
    await settled(work.client, work.scheduleId);
  });
});

describe("a worker that is only late", () => {
  test("loses nothing while its heartbeat is fresh", async () => {
    const late = await workerSilentFor(0);
    const dead = await workerSilentFor(9);
    const beat = () => db.update(workers).set({ heartbeatAt: sql`now()` }).where(eq(workers.id, late.id));
    await gone({ isThere: () => beat().then(dead.isThere) });
    expect(await late.isThere()).toBe(true);
    await db.delete(workers).where(eq(workers.id, late.id));
  });
});

/** The worker lock that each connection of this process holds or waits for; null for a connection without one. */
async function locksOfThisProcess(): Promise<(number | null)[]> {
  const { rows } = await databasePool().query(
    `select l.objid::int as key from pg_stat_activity a
    left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.classid = 4711
    where a.application_name = $1 and a.datname = current_database()`,
    [`carillon ${process.pid} leader`],
  );
  return rows.map(({ key }) => key);
}

async function endConnectionWithLock(lockKey: number): Promise<void> {
  const { rows } = await databasePool().query(
    "select pg_terminate_backend(pid) as ended from pg_locks where locktype = 'advisory' and classid = 4711 and objid = $1",
    [lockKey],
  );
  expect(rows).toEqual([{ ended: true }]);
}

describe("a live worker that lost its registration", () => {
  test.each<[how: string, lose: (row: { id: string; lockKey: number }) => Promise<unknown>]>([
    ["its row was removed by another worker", ({ id }) => db.delete(workers).where(eq(workers.id, id))],
    ["the connection that held its lock was closed", ({ lockKey }) => endConnectionWithLock(lockKey)],
  ])("%s: it registers under a new ID with one lock, and releases what it had claimed", async (_, lose) => {
    const others = await locksOfThisProcess();
    const { worker, setPool, leave } = await announceWorker(releaseClaims);
    const poolId = `pool-${randomUUID()}`;
    await setPool(poolId);
    const [before] = await db.select().from(workers).where(eq(workers.id, worker.id));
    if (!before) throw new Error("the worker has no row");
    const work = await claimedBy(before);
    await lose(before);
    await vi.waitFor(() => expect(worker.id).not.toBe(before.id), { timeout: 45_000, interval: 50 });
    worker.assertAlive();
    const [after] = await db.select().from(workers).where(eq(workers.id, worker.id));
    expect(after?.poolId).toBe(poolId);
    expect(await db.select().from(workers).where(eq(workers.id, before.id))).toEqual([]);
    expect((await locksOfThisProcess()).sort()).toEqual([...others, after?.lockKey].sort());
    // The publication was released and announced, so any free worker could claim it again.
    const seen = await settled(work.client, work.scheduleId);
    expect(seen.publications[0]?.posts[0]?.error).toMatch(/^This account is no longer connected/);
    expect(await work.claim()).toMatchObject({ claimWorker: null, claimFence: 2 });
    await leave();
    expect(await locksOfThisProcess()).toEqual(others);
  });
});

describe("a worker whose database connection broke", () => {
  test("must not continue until it holds its lock again", async () => {
    const { worker, leave } = await announceWorker(async () => {});
    worker.assertAlive();
    const [row] = await db.select().from(workers).where(eq(workers.id, worker.id));
    // This keeps the worker from registering again at once: its next heartbeat may be milliseconds away.
    const other = await dedicatedConnection("test");
    await other.query("begin");
    await other.query("select from workers where id = $1 for update", [worker.id]);
    await endConnectionWithLock(row?.lockKey ?? 0);
    await vi.waitFor(() => expect(() => worker.assertAlive()).toThrow(WorkerLost), { timeout: 45_000 });
    await other.query("rollback");
    await other.end();
    await vi.waitFor(() => worker.assertAlive(), { timeout: 45_000, interval: 50 });
    await leave();
    expect(await isPossiblyAlive(worker.id)).toBe(false);
  });
});

test("an unknown worker is not alive", async () => {
  expect(await isPossiblyAlive(randomUUID())).toBe(false);
});
