import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, vi } from "vitest";
import { db, publications, schedules } from "../../db";
import { type Worker, WorkerLost } from "../../jobs";
import { armFailPoint } from "../../jobs/fail-point";
import type { FailPoint } from "../../jobs/fail-points";
import type { Seen } from "../../testing";
import { claimPublication, releaseClaims } from "../publish/claim";
import { publish } from "../publish/publish";

/** A worker without a heartbeat: every other worker can tell that it is dead. */
export const newWorker = (): Worker => ({ id: randomUUID(), assertAlive() {} });

/** One attempt at a publication, even if it is not due for it. */
export async function attemptPublication(publicationId: number, worker = newWorker()): Promise<void> {
  const claim = await claimPublication(publicationId, worker);
  if (claim) await publish(claim);
}

/** A worker that dies at a fail point. */
type Doomed = { point: FailPoint; pass(): void };
/** The one that runs the current code, so that tests of one file can run at once. */
const doomed = new AsyncLocalStorage<Doomed>();
const running = new Set<Doomed>();

/** Arms a fail point that is shared by all workers of the process: only the worker that dies at it notices it. */
function arm(point: FailPoint): void {
  armFailPoint(point, () => {
    if ([...running].some((worker) => worker.point === point)) arm(point); // a fail point acts once
    const worker = doomed.getStore();
    if (worker?.point === point) worker.pass();
  });
}

/**
 * Publishes with a worker that dies when it reaches this point for the nth time, which can take several attempts if the network is
 * still processing a file. Its claims are released.
 */
export async function dieAt(point: FailPoint, publicationId: number, nth = 1): Promise<void> {
  const worker = newWorker();
  let passes = 0;
  const one = {
    point,
    pass() {
      passes += 1;
      if (passes === nth) throw new WorkerLost();
    },
  };
  running.add(one);
  arm(point);
  const attempt = async () => {
    await doomed.run(one, () => attemptPublication(publicationId, worker));
    expect(passes).toBe(nth);
  };
  await vi.waitFor(attempt, { timeout: 45_000, interval: 100 }).finally(() => running.delete(one));
  await db.transaction((tx) => releaseClaims(tx, worker.id));
}

const ENDED = ["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"];

/** Attempts a publication until its schedule has ended. Between attempts it looks in the database, which is cheaper than a call of the API. */
export async function finish({ publicationId, seen }: { publicationId: number; seen(): Promise<Seen> }): Promise<Seen> {
  await vi.waitFor(
    async () => {
      await attemptPublication(publicationId);
      const [row] = await db
        .select({ status: schedules.status })
        .from(schedules)
        .innerJoin(publications, eq(publications.scheduleId, schedules.id))
        .where(eq(publications.id, publicationId));
      expect(ENDED).toContain(row?.status);
    },
    { timeout: 45_000, interval: 100 },
  );
  const now = await seen();
  expect(ENDED).toContain(now.overallStatus);
  return now;
}
