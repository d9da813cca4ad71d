import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../db";
import { statement, value } from "../db/statement";

/** A job as a value. A lower layer can enqueue it without knowing what it does. */
export type JobRef = { name: string; payload: unknown };

const Stored = z.object({ name: z.string(), payload: z.unknown() });

export function jobRef<P>(job: JobKind<P>, payload: P): JobRef {
  return { name: job.name, payload };
}

/** Enqueues a `JobRef` that was stored as JSON. Does nothing for null. */
export async function enqueueRef(tx: Tx, ref: unknown): Promise<void> {
  if (ref === null) return;
  const { name, payload } = Stored.parse(ref);
  await enqueue(tx, { name, payload: z.unknown() }, payload);
}

/** The worker process that runs a job. */
export type Worker = {
  id: string;
  /** @throws WorkerLost if this process lost its lock, so that other workers may take over its work */
  assertAlive(): void;
};

/** A kind of job. Its payload has IDs but no state: the job reads the current row, because a job may run twice. */
export type JobKind<P = unknown> = { name: string; payload: z.ZodType<P> };

/** A kind of job with the function that runs it. */
export type Job<P = unknown> = JobKind<P> & { run(payload: P, worker: Worker): Promise<void> };

export function defineJob<P>(job: Job<P>): Job<P> {
  return job;
}

type Enqueue = {
  /** An instant as text, or seconds from now. Default: now. */
  at?: string | { inSeconds: number };
  /** At most one waiting job has this key. Enqueuing again replaces its time and payload. */
  key?: string;
  /** Keeps the time of a job that is already waiting under this key. */
  keep?: boolean;
};

/** Enqueues a job in the caller's transaction, so that the job exists only if the transaction commits. */
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

const addJobs = statement<{ name: string; jobs: string }, object>(
  "jobs.add",
  sql`
  select from graphile_worker.add_jobs(array(
    select row(${value("name", "text")}, w.payload, null, null, null, w.key, null, null)::graphile_worker.job_spec
    from jsonb_to_recordset(${value("jobs", "jsonb")}) as w(payload json, key text)))`,
);

/** Enqueues jobs of one kind that are due now, in one statement. `key` is that of `enqueue`. */
export async function enqueueAll<P>(tx: Tx, job: JobKind<P>, jobs: { payload: P; key: string }[]): Promise<void> {
  if (jobs.length > 0) await addJobs(tx, { name: job.name, jobs: JSON.stringify(jobs) });
}

/** Removes the waiting job with this key, if there is one. */
export async function removeJob(tx: Tx, key: string): Promise<void> {
  await tx.execute(sql`select graphile_worker.remove_job(${key})`);
}
