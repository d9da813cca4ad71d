import { eraseAccounts, keepFreshLoop, keepProfilesLoop } from "./lib/accounts";
import { botLoops } from "./lib/connect";
import type { Tx } from "./lib/db";
import { openData } from "./lib/db/open";
import { type Job, purgeLoop, startWorker } from "./lib/jobs";
import { eraseMail, oldMailLoop, sendMail } from "./lib/mail";
import { cleanUpLoop, eraseMedia, importMedia, releaseImports, removeLeftover, watchStaged } from "./lib/media";
import { liveReader, mailReader, tellOfDisabledEndpoint } from "./lib/notices";
import { dispatch, eraseSchedules, forgottenLoop, releaseClaims, settleImports } from "./lib/schedules";
import { deletion, passwordForgotten } from "./lib/users";
import { deliveries, fanOut, readerLoops, releaseDeliveries } from "./lib/webhooks";

/** Every kind of job there is. */
export const jobs: Job[] = [
  removeLeftover as Job,
  importMedia as Job,
  settleImports as Job,
  sendMail as Job,
  passwordForgotten as Job,
  deletion([eraseSchedules, eraseAccounts, eraseMedia, eraseMail]),
];

/** Frees whatever a dead worker had claimed. */
export async function releaseAll(tx: Tx, workerId: string): Promise<void> {
  await releaseClaims(tx, workerId);
  await releaseImports(tx, workerId);
  await releaseDeliveries(tx, workerId);
}

/** Everything that a worker does, wherever it runs: in the web process, or in one of its own. */
export async function work(): Promise<{ stop(): Promise<void> }> {
  return startWorker({
    jobs,
    duties: [dispatch, deliveries({ onDisabled: tellOfDisabledEndpoint })],
    loops: [
      ...botLoops(),
      forgottenLoop,
      keepFreshLoop,
      keepProfilesLoop,
      cleanUpLoop,
      purgeLoop,
      oldMailLoop,
      ...readerLoops([fanOut, mailReader, liveReader]),
    ],
    releaseClaims: releaseAll,
  });
}

/** `npm run worker`: a process that only works. */
export async function main(): Promise<void> {
  const data = await openData("worker", (reason) => {
    console.error(`The database is lost: ${reason.message}`);
    process.exit(1);
  });
  const worker = await work();
  watchStaged();
  let begun = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (begun) process.exit(1);
      begun = true;
      worker
        .stop()
        .then(() => data.close())
        .then(() => process.exit(0));
    });
  }
  console.log("Carillon worker is ready");
}
