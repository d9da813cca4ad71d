import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { db, dedicatedConnection, workers } from "../db";
import "../testing";
import { releaseClaims } from "../schedules";
import { defineJob, enqueue } from "./job";
import { startWorker } from "./runner";

/** Releases waiting jobs at the end of each test, so that none is left behind. */
const releases: (() => void)[] = [];
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

/** A kind of job that no other worker knows. Each run waits until the test releases it. */
function newKind() {
  const runs: number[] = [];
  const waiting = new Map<number, () => void>();
  const job = defineJob({
    name: `test.${randomUUID()}`,
    payload: z.object({ number: z.number() }),
    run({ number }) {
      runs.push(number);
      return new Promise((resolve) => {
        waiting.set(number, resolve);
        releases.push(resolve);
      });
    },
  });
  const begun = (number: number) => vi.waitFor(() => expect(runs).toContain(number), { timeout: 45_000, interval: 20 });
  return { job, runs, begun, letGo: (number: number) => waiting.get(number)?.() };
}

// This worker also checks the others, so it must release the claims of dead ones like any worker.
const workforce = { loops: [], releaseClaims };
const start = (job: ReturnType<typeof newKind>["job"], drainMs?: number) =>
  startWorker({ ...workforce, jobs: [job as never], drainMs });

describe("stopping", () => {
  test("waits until running work has finished", async () => {
    const { job, begun, letGo } = newKind();
    const worker = await start(job);
    await enqueue(db, job, { number: 1 });
    await begun(1);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    expect(await db.select().from(workers).where(eq(workers.id, worker.id))).toHaveLength(1);
    expect(stopped).toBe(false);
    letGo(1);
    await stopping;
    expect(await db.select().from(workers).where(eq(workers.id, worker.id))).toEqual([]);
  });

  test("has a time limit: a job that does not end is abandoned, and the worker still unregisters", async () => {
    const { job, begun } = newKind();
    const worker = await start(job, 500);
    await enqueue(db, job, { number: 1 });
    await begun(1);
    const since = Date.now();
    await worker.stop();
    expect(Date.now() - since).toBeGreaterThanOrEqual(490);
    expect(Date.now() - since).toBeLessThan(5_000);
    expect(await db.select().from(workers).where(eq(workers.id, worker.id))).toEqual([]);
  });
});

/** Closes the connections that wait for a lock of this one, once there are any. Returns after the database has ended them. */
async function endBlockedBy(other: Awaited<ReturnType<typeof dedicatedConnection>>): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await other.query(
        "select pg_terminate_backend(pid, 10000) as ended from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))",
      );
      expect(rows).toEqual([{ ended: true }]);
    },
    { timeout: 45_000, interval: 20 },
  );
}

describe("a job engine that cannot read the IDs of its kinds of jobs", () => {
  test("is restarted, so that the worker runs jobs as soon as the database works again", async () => {
    const { job, begun, letGo } = newKind();
    const other = await dedicatedConnection("test");
    onTestFinished(() => other.end());
    await other.query("begin");
    await other.query("lock table graphile_worker._private_tasks in share row exclusive mode");
    const worker = await start(job);
    await endBlockedBy(other);
    await other.query("rollback");
    await enqueue(db, job, { number: 1 });
    await begun(1);
    letGo(1);
    await worker.stop();
  });
});

describe("a job engine whose connections were all closed", () => {
  test("is restarted if it gave up, and the worker records the ID of the new pool", async () => {
    const { job, runs, begun, letGo } = newKind();
    const worker = await start(job);
    const poolOf = async () =>
      (await db.select({ poolId: workers.poolId }).from(workers).where(eq(workers.id, worker.id)))[0]?.poolId;
    const before = await vi.waitFor(
      async () => {
        const poolId = await poolOf();
        expect(poolId).toEqual(expect.any(String));
        return poolId;
      },
      { timeout: 45_000 },
    );
    await enqueue(db, job, { number: 1 });
    await begun(1);

    // The engine gives up if it cannot record the end of a job: this lock delays the record, and then the connections are
    // closed.
    const other = await dedicatedConnection("test");
    await other.query("begin");
    await other.query(
      `select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 for update of j`,
      [job.name],
    );
    letGo(1);
    const ended = await vi.waitFor(
      async () => {
        const { rows: blocked } = await other.query(
          "select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))",
        );
        expect(blocked).toHaveLength(1);
        const { rows } = await other.query(
          "select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = $1 and datname = current_database()",
          [`carillon ${process.pid}`],
        );
        return rows;
      },
      { timeout: 45_000, interval: 20 },
    );
    expect(ended.length).toBeGreaterThan(0);
    await other.query("rollback");
    await other.end();

    const after = await vi.waitFor(
      async () => {
        const poolId = await poolOf();
        expect(poolId).not.toBe(before);
        return poolId;
      },
      { timeout: 45_000, interval: 50 },
    );
    expect(after).toEqual(expect.any(String));
    await enqueue(db, job, { number: 2 });
    await begun(2);
    letGo(2);
    // The job whose end was never recorded runs again, because its lock was released.
    await vi.waitFor(() => expect(runs.filter((number) => number === 1)).toHaveLength(2), 8_000);
    letGo(1);
    await worker.stop();
  });
});
