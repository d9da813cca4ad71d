import { z } from "zod";
import { PlatformError } from "../errors";
import type { NetworkCall, NetworkSession, OutgoingMedia, Run } from "../network";
import { readAnswer } from "../wire/json";
import { query } from "../wire/query";
import { type Blob, blobSchema, serviceToken } from "./api";

const SERVICE = "did:web:video.bsky.app";
/** The maximum time the service may need until it stores the encoded file on the account's server. */
const TOKEN_SECONDS = 1800;
const UPLOAD_SECONDS = 300;

const jobSchema = z.object({
  jobId: z.string(),
  state: z.string(),
  blob: blobSchema.optional(),
  error: z.string().optional(),
  failureCode: z.string().optional(),
  message: z.string().optional(),
});
/** The service sends a flat object; the lexicon nests it in `jobStatus`. */
const jobAnswer = z.union([z.object({ jobStatus: jobSchema }).transform(({ jobStatus }) => jobStatus), jobSchema]);
type Job = z.output<typeof jobSchema>;

const limitsSchema = z.object({ canUpload: z.boolean(), message: z.string().optional(), error: z.string().optional() });

/** @throws PlatformError if the service accepts no video from this account; `later` if the daily quota is used up */
export async function assertUploadAllowed(session: NetworkSession): Promise<void> {
  const lxm = "app.bsky.video.getUploadLimits";
  const bearer = await serviceToken(session, { aud: SERVICE, lxm, seconds: 60 });
  const { canUpload, message, error } = await readAnswer(
    "Bluesky",
    limitsSchema,
    await ask(session, lxm, { auth: { bearer } }),
  );
  if (canUpload) return;
  const isForToday = /daily|limit/i.test(`${error} ${message}`);
  const says = isForToday
    ? "Bluesky accepts no more videos from this account today"
    : "Bluesky does not accept videos from this account";
  throw new PlatformError(isForToday ? "later" : "rejected", message ? `${says}: ${message}` : says, {
    retryAfterSeconds: isForToday ? 3600 : undefined,
    answer: { status: 200, code: error, message },
  });
}

/** Uploads the whole file at once. If it was uploaded before, the answer is its finished job. */
async function uploadWhole(session: NetworkSession, media: OutgoingMedia, name: string): Promise<Job> {
  const path = `app.bsky.video.uploadVideo?${query({ did: session.accountId, name })}`;
  const headers = { "content-type": media.contentType, "content-length": String(media.sizeBytes) };
  const auth = { bearer: await uploadToken(session) };
  const body = await openMedia(media);
  const call = { method: "POST", headers, auth, body, accept: [409], timeoutSeconds: UPLOAD_SECONDS };
  return readAnswer("Bluesky", jobAnswer, await ask(session, path, call));
}

const startedSchema = z.object({
  jobId: z.string(),
  partSizeBytes: z.number().positive(),
  partCount: z.number().int(),
});
type StartedUpload = z.output<typeof startedSchema>;

/** Starts an upload in parts, which can be resumed; returns undefined if the service does not support it. */
async function startUpload(
  session: NetworkSession,
  media: OutgoingMedia,
  name: string,
): Promise<StartedUpload | undefined> {
  const { sizeBytes, contentType: mimeType, width, height, durationSeconds } = media;
  const durationMs = durationSeconds === undefined ? undefined : Math.round(durationSeconds * 1000);
  const call = json({ sizeBytes, mimeType, name, durationMs, width, height }, await uploadToken(session));
  const answer = await ask(session, "app.bsky.video.startUpload", { ...call, accept: [404, 501] });
  return answer.ok ? readAnswer("Bluesky", startedSchema, answer) : undefined;
}

/** Uploads one part, counted from 1; a repeated part replaces the earlier one. */
async function uploadPart(
  session: NetworkSession,
  media: OutgoingMedia,
  started: StartedUpload,
  part: number,
): Promise<void> {
  const first = (part - 1) * started.partSizeBytes;
  const last = Math.min(first + started.partSizeBytes, media.sizeBytes) - 1;
  const path = `app.bsky.video.uploadPart?${query({ jobId: started.jobId, partNumber: String(part) })}`;
  const headers = { "content-type": "application/octet-stream", "content-length": String(last - first + 1) };
  const auth = { bearer: await uploadToken(session) };
  const body = await openMedia(media, { first, last });
  await ask(session, path, { method: "POST", headers, auth, body, timeoutSeconds: UPLOAD_SECONDS });
}

const finishedSchema = z.object({ completedJobId: z.string() });

/** Completes the upload; returns the job to poll, which can be an earlier job of the same file. */
async function finishUpload(session: NetworkSession, jobId: string): Promise<string> {
  const call = json({ jobId }, await uploadToken(session));
  const answer = await ask(session, "app.bsky.video.finishUpload", call);
  return (await readAnswer("Bluesky", finishedSchema, answer)).completedJobId;
}

async function jobStatus(session: NetworkSession, jobId: string): Promise<Job> {
  const path = `app.bsky.video.getJobStatus?${query({ jobId })}`;
  return readAnswer("Bluesky", jobAnswer, await ask(session, path, {}));
}

function ask(session: NetworkSession, path: string, call: NetworkCall): Promise<Response> {
  return session.app.fetch(`/xrpc/${path}`, { ...call, host: "video" });
}

function json(body: object, bearer: string): NetworkCall {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), auth: { bearer } };
}

/** Requests the token with which the service stores the file on the account's own server. */
function uploadToken(session: NetworkSession): Promise<string> {
  const { host } = new URL(session.tokens.extra?.pds ?? session.app.url("", "api"));
  const aud = `did:web:${host.replace(":", "%3A")}`;
  return serviceToken(session, { aud, lxm: "com.atproto.repo.uploadBlob", seconds: TOKEN_SECONDS });
}

function openMedia(media: OutgoingMedia, range?: { first: number; last: number }): Promise<ReadableStream<Uint8Array>> {
  return media.open(range).catch(() => {
    throw new PlatformError("later", `The file ${media.filename} could not be read`, { refused: true });
  });
}

/** Storing the encoded file sometimes fails, and uploads expire, so the upload is retried a few times. */
const TRIES = 3;

/**
 * Uploads a video to Bluesky's video service, which encodes it and stores it on the account's server
 * (docs.bsky.app/docs/tutorials/video). Returns the blob for the post.
 */
export async function encodeVideo(run: Run, media: OutgoingMedia, key: string, name: string): Promise<Blob> {
  await run.step(`${name}, allowed`, async () => assertUploadAllowed(run).then(() => true));
  for (let attempt = 1; ; attempt++) {
    try {
      const job = await uploadParts(run, media, `${key}-${attempt}.mp4`, `${name}, upload ${attempt}`);
      return blobOf(await run.poll(`${name}, encoded ${attempt}`, () => finished(run, job)));
    } catch (error) {
      if (attempt === TRIES || !isRetryable(error)) throw error;
    }
  }
}

/** Uploads in parts and records each part, so an interrupted upload continues with the missing part. */
async function uploadParts(run: Run, media: OutgoingMedia, filename: string, name: string): Promise<string> {
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

const FAILURE_MESSAGES: { [failure: string]: string } = {
  validation_failure: "Bluesky refused the video",
  encoding_failure: "Bluesky could not encode the video",
  pds_upload_unsupported_blob_size: "The encoded video is too large for this account's server",
};
const NOT_STORED = "pds_upload_failure";

function blobOf({ state, blob, failureCode = "", message, error }: Job): Blob {
  if (blob && state !== "JOB_STATE_FAILED") return blob;
  const says = FAILURE_MESSAGES[failureCode] ?? "Bluesky could not prepare the video";
  const isPassing = failureCode === NOT_STORED;
  throw new PlatformError(isPassing ? "later" : "rejected", message ? `${says}: ${message}` : says, {
    answer: { status: 200, code: failureCode || error, message },
  });
}

function isRetryable(error: unknown): boolean {
  const code = error instanceof PlatformError ? error.answer?.code : undefined;
  const isLost = /^(Upload(NotFound|Expired|Failed|Aborted)|MissingParts|PartSizeMismatch)$/.test(code ?? "");
  return isLost || code === NOT_STORED;
}
