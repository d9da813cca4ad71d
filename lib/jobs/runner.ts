import { EventEmitter } from "node:events";
import { Logger, type RunnerOptions, run, type TaskList, type WorkerEvents } from "graphile-worker";
import { databasePool, dedicatedConnection, type Tx } from "../db";
import { log } from "../log";
import type { Job, Worker } from "./job";
import { announceWorker } from "./presence";

/** Jobs that one process works on at once; most of their time is waiting for a network. */
const CONCURRENCY = 10;
/** Of jobs that are due later; one that is due at once wakes its worker by itself. */
const POLL_MS = 1_000;
/** How long work under way may take to end when the process stops. */
const DRAIN_MS = 25_000;

/** Work that only one process of all does at a time, until told to stop. */
export type Loop = { name: string; lock: number; turn(signal: AbortSignal): Promise<void> };

/** Work that every process does beside its jobs, from start to stop; stopping lets what is under way finish. */
export type BackgroundTask = { name: string; start(worker: Worker): { stop(): Promise<void> } };

export type Workforce = {
  jobs: Job[];
  duties?: BackgroundTask[];
  loops: Loop[];
  /** Frees what a dead worker had claimed, in the sweep's transaction. */
  releaseClaims(tx: Tx, workerId: string): Promise<void>;
  drainMs?: number;
};

/** Starts working on due jobs; `stop` lets those under way finish. */
export async function startWorker({
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
      .catch((error) => log.error({ error: String(error) }, "a worker could not name its pool"));
  });
  const options: RunnerOptions = {
    pgPool: databasePool(),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, taskOf(job, presence.worker)])) as TaskList,
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    events,
    logger: quietLogger(),
    // Without batches, a job's end that cannot be recorded is a rejection that nobody handles, which ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  };
  const stopping = new AbortController();
  const engine = await keepRunning(options, stopping.signal);
  for (const loop of loops) void runLoop(loop, stopping.signal);
  const onDuty = duties.map((duty) => duty.start(presence.worker));
  return {
    id: presence.worker.id,
    async stop() {
      // A loop's turn may be waiting for something to happen. It records what it did in one transaction: it is left behind.
      stopping.abort();
      // So is a call that takes too long: its intent is stored, and whoever claims it next finds out what became of it.
      await Promise.race([Promise.all([engine, ...onDuty].map((work) => work.stop())), pause(drainMs)]);
      await presence.leave();
    },
  };
}

/** The job engine gives up for good when the database stays away for a while; it is started again until told to stop. */
async function keepRunning(options: RunnerOptions, signal: AbortSignal): Promise<{ stop(): Promise<void> }> {
  let runner = await run(options);
  const watch = () => {
    runner.promise
      .catch(() => {})
      .then(async () => {
        while (!signal.aborted) {
          log.warn("the job engine has stopped; it is started again");
          await pause(1_000, signal);
          const next = await run(options).catch(() => undefined);
          if (!next) continue;
          runner = next;
          return watch();
        }
      });
  };
  watch();
  return { stop: () => runner.stop().catch(() => {}) };
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

/** Holds the loop's advisory lock while it turns, so that of all processes one turns it; the others wait in line. */
async function runLoop(loop: Loop, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = await dedicatedConnection(loop.name).catch(() => undefined);
    const broken = new AbortController();
    client?.on("error", () => broken.abort());
    try {
      while (client && !signal.aborted && !broken.signal.aborted) {
        const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [loop.lock]);
        if (rows[0]?.mine) await turnUntil(loop, AbortSignal.any([signal, broken.signal]));
        else await pause(1_000, signal);
      }
    } catch (error) {
      log.warn({ loop: loop.name, error: String(error) }, "a loop stumbled and starts again");
      await pause(1_000, signal);
    } finally {
      await client?.end().catch(() => {});
    }
  }
}

async function turnUntil(loop: Loop, signal: AbortSignal): Promise<void> {
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

/** Waits, or returns at once when told to stop. */
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

/** The engine's own chatter goes to the debug level; its errors stay errors. */
function quietLogger() {
  return new Logger(() => (level, message) => {
    if (level === "error") log.error(message);
    else log.debug(message);
  });
}
