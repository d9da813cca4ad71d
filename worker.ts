import { deleteAccountsOfUser, profileRefresh, tokenRefresh } from "./lib/accounts";
import { botLoops } from "./lib/connect";
import type { Tx } from "./lib/db";
import { openData } from "./lib/db/open";
import { serveHealth, startDraining } from "./lib/http/health";
import { serveMetrics } from "./lib/http/metrics";
import { type Job, onStopSignals, purgeLoop, startWorker, watchEventLoop } from "./lib/jobs";
import { digestLoop, eraseMail, oldMailLoop, sendMail } from "./lib/mail";
import {
  cleanUpLoop,
  eraseMedia,
  importMedia,
  releaseImports,
  removeOrphanedObject,
  startStagedFileCleanUp,
} from "./lib/media";
import { liveReader, mailReader, queueDisabledEndpointMail } from "./lib/notices";
import {
  dispatch,
  eraseSchedules,
  feedLoop,
  releaseClaims,
  rescueLoop,
  retentionLoop,
  settleImports,
} from "./lib/schedules";
import { startTracing } from "./lib/tracing";
import { passwordResetJob, userDeletionJob } from "./lib/users";
import { deliverWebhooks, fanOut, readerLoops, releaseDeliveries } from "./lib/webhooks";

export { env } from "./lib/env";

/** All kinds of jobs. */
export const jobs: Job[] = [
  removeOrphanedObject as Job,
  importMedia as Job,
  settleImports as Job,
  sendMail as Job,
  passwordResetJob as Job,
  userDeletionJob([eraseSchedules, deleteAccountsOfUser, eraseMedia, eraseMail]),
];

/** Releases all claims of a dead worker. */
export async function releaseAll(tx: Tx, workerId: string): Promise<void> {
  await releaseClaims(tx, workerId);
  await releaseImports(tx, workerId);
  await releaseDeliveries(tx, workerId);
}

/** Starts a worker, in the web process or in a separate process. */
export async function runWorker(): Promise<{ stop(): Promise<void> }> {
  return startWorker({
    jobs,
    duties: [dispatch(), deliverWebhooks({ onDisabled: queueDisabledEndpointMail }), tokenRefresh, profileRefresh],
    loops: [
      ...botLoops(),
      rescueLoop,
      cleanUpLoop,
      feedLoop,
      purgeLoop,
      retentionLoop,
      oldMailLoop,
      digestLoop,
      ...readerLoops([fanOut, mailReader, liveReader]),
    ],
    releaseClaims: releaseAll,
  });
}

/** `npm run worker`: a process that runs only a worker. */
export async function main(): Promise<void> {
  await serveHealth(); // first, so that a worker that waits for the database is seen to live
  const stopping = new AbortController();
  const started = start(stopping.signal).catch((error) => {
    if (error.name === "AbortError") process.exit(0);
    throw error;
  });
  onStopSignals((how) => {
    if (how === "now") process.exit(1);
    startDraining();
    stopping.abort();
    started.then(({ stop }) => stop()).then(() => process.exit(0));
  });
  await started;
  console.log("Carillon worker is ready");
}

async function start(signal: AbortSignal): Promise<{ stop(): Promise<void> }> {
  const onLost = (reason: Error) => {
    console.error(`The database connection was lost: ${reason.message}`);
    process.exit(1);
  };
  const data = await openData("worker", { onLost, signal });
  const endTracing = await startTracing();
  const worker = await runWorker();
  startStagedFileCleanUp();
  watchEventLoop();
  await serveMetrics();
  return {
    stop: () =>
      worker
        .stop()
        .then(endTracing)
        .then(() => data.close()),
  };
}
