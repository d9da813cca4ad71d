import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import type { Blob } from "./api";
import { assertMayUpload, finishUpload, type Job, jobStatus, startUpload, uploadPart, uploadWhole } from "./video-api";

/** Storing the encoded file sometimes fails, and uploads expire, so the upload is retried a few times. */
const TRIES = 3;

/**
 * Uploads a video to Bluesky's video service, which encodes it and stores it on the account's server
 * (docs.bsky.app/docs/tutorials/video). Returns the blob for the post.
 */
export async function encodedVideo(run: Run, media: OutgoingMedia, key: string, name: string): Promise<Blob> {
  await run.step(`${name}, allowed`, async () => assertMayUpload(run).then(() => true));
  for (let attempt = 1; ; attempt++) {
    try {
      const job = await uploaded(run, media, `${key}-${attempt}.mp4`, `${name}, upload ${attempt}`);
      return blobOf(await run.poll(`${name}, encoded ${attempt}`, () => finished(run, job)));
    } catch (error) {
      if (attempt === TRIES || !isWorthAnother(error)) throw error;
    }
  }
}

/** Uploads in parts and records each part, so an interrupted upload continues with the missing part. */
async function uploaded(run: Run, media: OutgoingMedia, filename: string, name: string): Promise<string> {
  const started = await run.step(name, async () => (await startUpload(run, media, filename)) ?? null);
  if (!started) return run.step(`${name}, whole`, async () => (await uploadWhole(run, media, filename)).jobId);
  for (let part = 1; part <= started.partCount; part++)
    await run.step(`${name}, part ${part}`, async () => uploadPart(run, media, started, part).then(() => true));
  return run.step(`${name}, finished`, () => finishUpload(run, started.jobId));
}

/** Returns a job that succeeded or failed; every other state means that it is still running. */
async function finished(run: Run, jobId: string): Promise<Job | undefined> {
  const job = await jobStatus(run, jobId);
  return job.state === "JOB_STATE_FAILED" || job.blob ? job : undefined;
}

const WORDS: { [failure: string]: string } = {
  validation_failure: "Bluesky refused the video",
  encoding_failure: "Bluesky could not encode the video",
  pds_upload_unsupported_blob_size: "The encoded video is too large for this account's server",
};
const NOT_STORED = "pds_upload_failure";

function blobOf({ state, blob, failureCode = "", message, error }: Job): Blob {
  if (blob && state !== "JOB_STATE_FAILED") return blob;
  const says = WORDS[failureCode] ?? "Bluesky could not prepare the video";
  const isPassing = failureCode === NOT_STORED;
  throw new PlatformError(isPassing ? "later" : "rejected", message ? `${says}: ${message}` : says, {
    answer: { status: 200, code: failureCode || error, message },
  });
}

function isWorthAnother(error: unknown): boolean {
  const code = error instanceof PlatformError ? error.answer?.code : undefined;
  const isLost = /^(Upload(NotFound|Expired|Failed|Aborted)|MissingParts|PartSizeMismatch)$/.test(code ?? "");
  return isLost || code === NOT_STORED;
}
