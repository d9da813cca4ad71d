import { db, isDatabaseUnavailable, type Tx } from "../../db";
import { perProcess } from "../../db/per-process";
import { env } from "../../env";
import { defineJob, enqueue, enqueueRef, removeJob, type Worker, WorkerLost } from "../../jobs";
import { log } from "../../log";
import { discard } from "../../storage";
import { assertNotBeingDeleted, BeingDeleted, isOwnerGone } from "../../users";
import { emit } from "../../webhooks";
import { inspectFile } from "../inspect";
import { keepMedia } from "../keep";
import type { Media } from "../media";
import { claimImport, endClaim, extendClaim, type ImportClaim, ImportClaimLost, scheduleWakeUp } from "./claim";
import { type Downloaded, discardDownload, download } from "./download";
import { ImportError, importErrorOf } from "./error";
import { importDue, importKey, type MediaImport, presentImport } from "./start";

/** How many imports a process runs at a time. */
const PLACES = 6;

const places = perProcess("media.imports", () => ({ taken: 0 }));

/**
 * The job only wakes the import up. An import can take ten minutes, and a slow server must not delay posts that are due. So
 * the work runs outside of the job engine, under a claim that ends with its worker. Until it is finished, another wake-up
 * is scheduled.
 */
export const importMedia = defineJob({
  ...importDue,
  async run({ importId }, worker) {
    if (await scheduleWakeUp(importId)) void runDueImports(worker);
  },
});

/** Runs due imports one after the other until there are none. This also picks up imports that found no free place. */
async function runDueImports(worker: Worker): Promise<void> {
  if (places.taken >= PLACES) return;
  places.taken += 1;
  try {
    for (let claim = await claimImport(worker); claim; claim = await claimImport(worker)) await runImport(claim);
  } catch (error) {
    if (!(error instanceof WorkerLost))
      log.warn({ error: String(error) }, "an import failed unexpectedly and is run again");
  } finally {
    places.taken -= 1;
  }
}

/** Extensions for names that have none. The type itself is never read from the name. */
const EXTENSIONS: { [contentType: string]: string } = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/tiff": "tiff",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
  "application/pdf": "pdf",
};

/** Returns the name of an imported file: the hint, or the last part of the URL's path. */
function importedName({ filenameHint, sourceUrl }: Pick<MediaImport, "filenameHint" | "sourceUrl">, type: string) {
  const name = filenameHint?.trim() || lastPartOf(sourceUrl) || "file";
  return /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : `${name}.${EXTENSIONS[type] ?? "bin"}`;
}

function lastPartOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const RENEW_MS = 10_000;
const FIRST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 3600;
/** How long temporary failures are retried. */
const GIVE_UP_SECONDS = 86_400;

/** Runs an import until it ends or fails temporarily. */
export async function runImport(claim: ImportClaim): Promise<void> {
  const stop = new AbortController();
  const timer = setInterval(() => {
    extendClaim(claim).catch((error) => error instanceof ImportClaimLost && stop.abort(error));
  }, RENEW_MS);
  try {
    const downloaded = await download(claim, stop.signal);
    await keep(claim, downloaded);
  } catch (error) {
    await recordFailure(claim, error);
  } finally {
    clearInterval(timer);
  }
}

async function keep(claim: ImportClaim, { file, resumed }: Downloaded): Promise<void> {
  const { sizeBytes } = file;
  try {
    await extendClaim(claim, { state: "VALIDATING", bytesDownloaded: sizeBytes, totalBytes: sizeBytes });
    const look = await inspectFile(file.path, claim.ownerId);
    await extendClaim(claim, { state: "UPLOADING", detectedMime: look.contentType });
    const filename = importedName(claim, look.contentType);
    await keepMedia(claim.ownerId, file, look, { filename, also: (tx, item) => recordReady(tx, claim, item) });
  } catch (error) {
    const fault = importErrorOf(error);
    // The file was assembled from two responses, which may belong to different versions. Try once more from the beginning.
    const patched = resumed && (fault.code === "CORRUPT_FILE" || fault.code === "UNSUPPORTED_TYPE");
    throw patched ? new ImportError(fault.code, fault.message, { lasting: false }) : error;
  } finally {
    await discard(file);
  }
}

/** Runs in the transaction that stores the medium. Only the holder of the claim gets this far. */
async function recordReady(tx: Tx, claim: ImportClaim, item: Media): Promise<void> {
  await assertNotBeingDeleted(tx, claim.ownerId);
  const ended = await endClaim(tx, claim, { state: "READY", key: item.key, detectedMime: item.contentType });
  await finishImport(tx, ended, "media.upload.ready");
}

/** Emits the event and enqueues the follow-up job, in the transaction that ends the import. */
async function finishImport(
  tx: Tx,
  ended: MediaImport,
  type: "media.upload.ready" | "media.upload.failed",
): Promise<void> {
  await emit(tx, [{ ownerId: ended.ownerId, type, data: presentImport(ended) }]);
  await removeJob(tx, importKey(ended.id));
  await enqueueRef(tx, ended.whenDone);
}

async function recordFailure(claim: ImportClaim, error: unknown): Promise<void> {
  if (error instanceof ImportClaimLost || error instanceof BeingDeleted || isOwnerGone(error))
    return discardDownload(claim);
  if (isDatabaseUnavailable(error)) throw error; // the claim expires, and the import runs again
  const fault = importErrorOf(error);
  if (fault.code === "STORAGE_FAILED")
    log.error({ import: claim.id, error: String(error) }, "an import could not be stored");
  const { attempts } = claim;
  const backoff = Math.min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** attempts);
  const seconds = fault.retry.retryAfterSeconds ?? ((0.8 + Math.random() * 0.4) * backoff) / env.timeFactor;
  const isOver = claim.ageSeconds + seconds > GIVE_UP_SECONDS / env.timeFactor;
  if (fault.retry.lasting || isOver) return failForGood(claim, fault, fault.retry.lasting);
  await db.transaction(async (tx) => {
    const outcome = {
      state: "FAILED_TEMPORARY" as const,
      errorCode: fault.code,
      errorMessage: sentence(fault.message),
    };
    await endClaim(tx, claim, { ...outcome, attempts: attempts + 1 }, seconds);
    await enqueue(tx, importDue, { importId: claim.id }, { at: { inSeconds: seconds }, key: importKey(claim.id) });
  });
}

async function failForGood(claim: ImportClaim, fault: ImportError, lasting: boolean): Promise<void> {
  const more = lasting ? "" : ". Carillon tried for 24 hours and gave up.";
  await db.transaction(async (tx) => {
    const errorMessage = sentence(fault.message) + more;
    const ended = await endClaim(tx, claim, { state: "FAILED_PERMANENT", errorCode: fault.code, errorMessage });
    await finishImport(tx, ended, "media.upload.failed");
  });
  await discardDownload(claim);
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
