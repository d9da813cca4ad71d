import { EventEmitter } from "node:events";
import { Logger, type Runner, type RunnerOptions, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import { inBackground, jobEnginePool, type Tx } from "../db";
import { env } from "../env";
import { log } from "../log";
import type { Job, Worker } from "./job";
import { announceWorker, type Leader } from "./presence";

/** Jobs that one process runs at the same time. They mostly wait for a network. */
const CONCURRENCY = 10;
/** How often to look for jobs that became due. A job that is due when it is enqueued is announced instead. */
const POLL_MS = 1_000;
/** Jobs that were taken and found no free place are given back after this time, for another process. */
const UNCLAIMED_MS = 100;
/** How often to try the locks of the loops that another process runs. */
const LOCK_MS = 1_000;
/** How long running work may take to finish when the process stops. */
const DRAIN_MS = 25_000;

/** Work that one process at a time repeats until it is told to stop. `lock` is one of lib/db/locks.ts. */
export type Loop = { name: string; lock: number; turn(signal: AbortSignal): Promise<void> };

/** Work that every worker process does in addition to its jobs. `stop` lets running work finish. */
export type BackgroundTask = { name: string; start(worker: Worker): { stop(): Promise<void> } };

export type Workforce = {
  jobs: Job[];
  duties?: BackgroundTask[];
  loops: Loop[];
  /** Releases the claims of a dead worker, in the transaction that removes the worker. */
  releaseClaims(tx: Tx, workerId: string): Promise<void>;
  drainMs?: number;
};

type EngineOptions = RunnerOptions & { events: WorkerEvents };

/** Starts a worker: its jobs, background tasks and loops. `stop` lets running work finish. */
export function startWorker(workforce: Workforce): Promise<{ id: string; stop(): Promise<void> }> {
  return inBackground(() => start(workforce));
}

async function start({
  jobs,
  duties = [],
  loops,
  releaseClaims,
  drainMs = DRAIN_MS,
}: Workforce): Promise<{ id: string; stop(): Promise<void> }> {
  const presence = await announceWorker(releaseClaims);
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => {
    presence
      .setPool(workerPool.id)
      .catch((error) => log.error({ error: String(error) }, "the pool ID of this worker could not be stored"));
  });
  const options: EngineOptions = {
    pgPool: env.databaseNotify ? jobEnginePool() : withoutListening(jobEnginePool()),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, taskOf(job, presence.worker)])) as TaskList,
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    events,
    // Completing jobs in batches handles a completion that cannot be recorded. Otherwise it would be an unhandled rejection.
    preset: {
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, localQueue: { size: CONCURRENCY, ttl: UNCLAIMED_MS } },
    },
  };
  const stopping = new AbortController();
  const engine = await keepRunning(options, stopping.signal);
  void runLoops(loops, presence.leader, stopping.signal);
  const onDuty = duties.map((duty) => duty.start(presence.worker));
  return {
    id: presence.worker.id,
    async stop() {
      // The turn of a loop may wait for a long time. It commits its work in one transaction, so it can be abandoned.
      stopping.abort();
      // A call that takes too long is abandoned too: its intent is stored, so the next worker looks up its outcome.
      await Promise.race([Promise.all([engine, ...onDuty].map((work) => work.stop())), pause(drainMs)]);
      await presence.leave();
    },
  };
}

/** The job engine takes only its connection for LISTEN with a callback. Without it, it looks for jobs every `POLL_MS`. */
function withoutListening(pool: Pool): Pool {
  const connect = (onConnected?: unknown) => (onConnected ? undefined : pool.connect());
  return Object.create(pool, { connect: { value: connect }, query: { value: pool.query.bind(pool) } });
}

/** The job engine stops for good if the database is unavailable for a while, so it is restarted until the worker stops. */
async function keepRunning(options: EngineOptions, signal: AbortSignal): Promise<{ stop(): Promise<void> }> {
  let runner = await startEngine(options);
  const watch = () => {
    runner.promise
      .catch(() => {})
      .then(async () => {
        while (!signal.aborted) {
          log.warn("the job engine stopped and is restarted");
          await pause(1_000, signal);
          const next = await startEngine(options).catch(() => undefined);
          if (!next) continue;
          runner = next;
          return watch();
        }
      });
  };
  watch();
  return { stop: () => runner.stop().catch(() => {}) };
}

/**
 * Starts the job engine. When it looks for jobs for the first time, it reads the IDs of their kinds, and if that fails, it keeps the
 * failure and never runs a job (graphile-worker 0.17.3 and 0.18.0, `getTaskDetails`). So an engine that reports an error before
 * it has looked once is stopped.
 */
async function startEngine(options: EngineOptions): Promise<Runner> {
  let hasLooked = false;
  options.events.once("localQueue:getJobs:complete", () => {
    hasLooked = true;
  });
  let fail: () => void = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const runner = await run({ ...options, logger: engineLogger(() => hasLooked || fail()) });
  failed.then(() => runner.stop()).catch(() => {}); // it has stopped already
  return runner;
}

function taskOf(job: Job, worker: Worker) {
  return async (payload: unknown) => {
    try {
      await job.run(job.payload.parse(payload), worker);
    } catch (error) {
      log.error(
        { job: job.name, payload, error: error instanceof Error ? error.stack : String(error) },
        "a job failed",
      );
      throw error;
    }
  };
}

/**
 * Runs each loop while this process holds its advisory lock, on the one connection that also holds the worker's lock. Every
 * second it tries to get the locks that it does not hold. If the connection breaks, the turns end and the locks are free.
 */
async function runLoops(loops: Loop[], leader: () => Leader, signal: AbortSignal): Promise<void> {
  const running = new Set<number>();
  while (!signal.aborted) {
    const { connection, lost } = leader();
    const wanted = loops.map(({ lock }) => lock).filter((lock) => !running.has(lock));
    const obtained = lost.aborted ? [] : await tryLocks(connection, wanted);
    for (const loop of loops.filter(({ lock }) => obtained.includes(lock))) {
      running.add(loop.lock);
      void turnUntil(loop, AbortSignal.any([signal, lost])).then(() => running.delete(loop.lock));
    }
    await pause(LOCK_MS, signal);
  }
}

/** Returns those of the locks that were free and now belong to this connection; none if it has just broken. */
async function tryLocks(connection: Leader["connection"], locks: number[]): Promise<number[]> {
  if (locks.length === 0) return [];
  const query = "select lock::int from unnest($1::bigint[]) as lock where pg_try_advisory_lock(lock)";
  const { rows } = await connection.query<{ lock: number }>(query, [locks]).catch((error) => {
    log.debug({ error: String(error) }, "the locks of the loops could not be tried");
    return { rows: [] };
  });
  return rows.map(({ lock }) => lock);
}

/** A loop that every worker runs, because its turns claim what they work on. */
export function onEveryWorker(name: string, turn: Loop["turn"]): BackgroundTask {
  return {
    name,
    start() {
      const stopping = new AbortController();
      const running = turnUntil({ name, turn }, stopping.signal);
      return {
        async stop() {
          stopping.abort();
          await running;
        },
      };
    },
  };
}

async function turnUntil(loop: Pick<Loop, "name" | "turn">, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await loop.turn(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ loop: loop.name, error: String(error) }, "a turn of a loop failed");
      await pause(2_000, signal);
    }
  }
}

/** Waits, or returns early if the signal is aborted. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

/** Logs the engine's errors as errors and all its other messages at the debug level. */
function engineLogger(onError: () => void) {
  return new Logger(() => (level, message) => {
    if (level !== "error") return log.debug(message);
    log.error(message);
    onError();
  });
}
