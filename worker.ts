import { deleteAccountsOfUser, tokenRefreshLoop, profileRefreshLoop } from "./lib/accounts";
import { botLoops } from "./lib/connect";
import type { Tx } from "./lib/db";
import { openData } from "./lib/db/open";
import { type Job, purgeLoop, startWorker } from "./lib/jobs";
import { eraseMail, oldMailLoop, sendMail } from "./lib/mail";
import { cleanUpLoop, eraseMedia, importMedia, releaseImports, removeOrphanedObject, startStagedFileCleanUp } from "./lib/media";
import { liveReader, mailReader, queueDisabledEndpointMail } from "./lib/notices";
import { dispatch, eraseSchedules, rescueLoop, releaseClaims, settleImports } from "./lib/schedules";
import { userDeletionJob, passwordResetJob } from "./lib/users";
import { deliverWebhooks, fanOut, readerLoops, releaseDeliveries } from "./lib/webhooks";

/** Every kind of job there is. */
export const jobs: Job[] = [
  removeOrphanedObject as Job,
  importMedia as Job,
  settleImports as Job,
  sendMail as Job,
  passwordResetJob as Job,
  userDeletionJob([eraseSchedules, deleteAccountsOfUser, eraseMedia, eraseMail]),
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
    duties: [dispatch, deliverWebhooks({ onDisabled: queueDisabledEndpointMail })],
    loops: [
      ...botLoops(),
      rescueLoop,
      tokenRefreshLoop,
      profileRefreshLoop,
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
  startStagedFileCleanUp();
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
