import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../db";

/** A job as a value: what somebody lower enqueues when they are done, without knowing what it does. */
export type JobRef = { name: string; payload: unknown };

const Stored = z.object({ name: z.string(), payload: z.unknown() });

export function jobRef<P>(job: JobKind<P>, payload: P): JobRef {
  return { name: job.name, payload };
}

/** Enqueues a job that was handed over and kept as JSON; null is none. */
export async function enqueueRef(tx: Tx, ref: unknown): Promise<void> {
  if (ref === null) return;
  const { name, payload } = Stored.parse(ref);
  await enqueue(tx, { name, payload: z.unknown() }, payload);
}

/** Who runs a job: the worker process, and whether it is still surely the only one to think so. */
export type Worker = {
  id: string;
  /** @throws WorkerLost where this process has lost its hold on the database and others may take over its work */
  assertAlive(): void;
};

/** What is enqueued: ids, never state. The row is the truth, the job is a wake-up call, which may come twice. */
export type JobKind<P = unknown> = { name: string; payload: z.ZodType<P> };

/** A kind of job with what is done when it is due. */
export type Job<P = unknown> = JobKind<P> & { run(payload: P, worker: Worker): Promise<void> };

export function defineJob<P>(job: Job<P>): Job<P> {
  return job;
}

type Enqueue = {
  /** An instant as the database writes it, or seconds from now. At once where absent. */
  at?: string | { inSeconds: number };
  /** One waiting job at most has this key: enqueuing again moves it. */
  key?: string;
  /** Leaves a job that waits already at its time. */
  keep?: boolean;
};

/** Enqueues in the caller's transaction: the job exists exactly when what made it necessary does. */
export async function enqueue<P>(tx: Tx, job: JobKind<P>, payload: P, { at, key, keep }: Enqueue = {}): Promise<void> {
  const runAt =
    at === undefined
      ? sql`now()`
      : typeof at === "string"
        ? sql`${at}::timestamptz`
        : sql`clock_timestamp() + make_interval(secs => ${at.inSeconds}::double precision)`;
  await tx.execute(
    sql`select graphile_worker.add_job(${job.name}, payload := ${JSON.stringify(payload)}::json, run_at := ${runAt}, job_key := ${key ?? null}, job_key_mode := ${keep ? "preserve_run_at" : "replace"})`,
  );
}

/** Takes a waiting job back; nothing happens where there is none. */
export async function removeJob(tx: Tx, key: string): Promise<void> {
  await tx.execute(sql`select graphile_worker.remove_job(${key})`);
}
