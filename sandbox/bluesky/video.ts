import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { randomToken } from "../core/ids";
import { inspectMedia } from "../core/media";
import { type Call, hasFault } from "../core/network";
import { serviceCaller } from "./access";
import { blobOf, cidOfBytes, storeBlob } from "./blobs";
import { invalidRequest, XrpcError } from "./errors";
import { findUser, serverDid } from "./identity";
import type { BlueskyState, VideoJob, VideoUpload } from "./state";

const SERVICE = "did:web:video.bsky.app";
const MAX_BYTES = 300_000_000;
const PART_BYTES = 5 * 1_048_576;
const UPLOAD_SECONDS = 3600;
const TYPES = ["video/mp4", "video/mpeg", "video/webm", "video/quicktime", "image/gif"];
/** A job advances by one state with each status request. */
const STATES = ["JOB_STATE_CREATED", "JOB_STATE_ENCODING", "JOB_STATE_SCANNING", "JOB_STATE_UPLOADING"];

/** `app.bsky.video.getUploadLimits`: accounts without a confirmed email address cannot upload. */
export function getUploadLimits(state: BlueskyState, call: Call): Response {
  const { did } = serviceCaller(state, call, SERVICE, "app.bsky.video.getUploadLimits");
  if (isUnconfirmed(state, call, did))
    return call.json({
      canUpload: false,
      message: "Please confirm your email to upload videos",
      error: "unconfirmed_email",
    });
  return call.json({ canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: 10_000_000_000 });
}

function isUnconfirmed(state: BlueskyState, call: Call, did: string): boolean {
  const account = findUser(state, did) ?? "";
  call.get("entry").account = account;
  return state.accounts.get(account)?.isEmailUnconfirmed ?? false;
}

/** Authenticates the uploader and checks that the account may upload. */
function uploader(state: BlueskyState, call: Call): string {
  const { did } = serviceCaller(state, call, serverDid(call), "com.atproto.repo.uploadBlob");
  if (isUnconfirmed(state, call, did))
    throw new XrpcError(403, "UploadForbidden", "Please confirm your email to upload videos");
  return did;
}

/** `app.bsky.video.uploadVideo`: the response is the job itself, without the `jobStatus` wrapper that the lexicon describes. */
export async function uploadVideo(state: BlueskyState, call: Call): Promise<Response> {
  const did = uploader(state, call);
  if (call.req.query("did") !== did) throw invalidRequest("did must be the caller's");
  if (!TYPES.includes(call.req.header("content-type") ?? ""))
    throw invalidRequest("Unsupported content type", "UnsupportedContentType");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  const earlier = findCompletedJob(state, did, bytes);
  if (earlier)
    return call.json({ ...present(earlier), error: "already_exists", message: "Video already processed" }, 409);
  return call.json(present(await startJob(state, call, did, bytes)));
}

function findCompletedJob(state: BlueskyState, did: string, bytes: Uint8Array): VideoJob | undefined {
  const cid = cidOfBytes(bytes);
  return state.jobs.values().find((job) => job.did === did && job.blob?.cid === cid && isDone(job));
}

const isDone = ({ state }: VideoJob) => state === "JOB_STATE_COMPLETED";

/** Starts a job. The real service encodes the video and stores the result on the data server; here the file is stored as it is. */
async function startJob(state: BlueskyState, call: Call, did: string, bytes: Uint8Array): Promise<VideoJob> {
  const id = randomToken(9);
  const info = await inspectMedia(bytes);
  const problem = hasFault(call, "processing_fails")
    ? { failureCode: "encoding_failure", message: "Failed to encode" }
    : info.kind !== "video" || bytes.length > MAX_BYTES
      ? { failureCode: "validation_failure", message: "File is not a video" }
      : info.durationSeconds > state.switches.maxVideoSeconds
        ? { failureCode: "validation_failure", message: "Video is too long" }
        : bytes.length > state.switches.maxVideoBlobBytes
          ? { failureCode: "pds_upload_unsupported_blob_size", message: "Blob is too large" }
          : {};
  const blob = storeBlob(state, did, bytes, "video/mp4");
  return state.jobs.put(id, { id, did, state: STATES[0] ?? "", polls: 0, blob, ...problem });
}

/** `app.bsky.video.getJobStatus`: public for anyone who knows the job id. */
export function getJobStatus(state: BlueskyState, call: Call): Response {
  const job = state.jobs.get(call.req.query("jobId") ?? "");
  if (!job) throw new XrpcError(404, "JobNotFound", "Job not found");
  call.get("entry").account = findUser(state, job.did);
  const failing = hasFault(call, "processing_fails")
    ? { ...job, failureCode: "pds_upload_failure", message: "Failed to upload to PDS", polls: STATES.length }
    : job;
  const polls = failing.polls + 1;
  const end = failing.failureCode ? "JOB_STATE_FAILED" : "JOB_STATE_COMPLETED";
  return call.json({ jobStatus: present(state.jobs.put(job.id, { ...failing, polls, state: STATES[polls] ?? end })) });
}

function present({ id, did, state, failureCode, message, blob, polls }: VideoJob) {
  const progress = Math.min(100, polls * 25);
  const failure = state === "JOB_STATE_FAILED" ? { failureCode, message, error: message } : {};
  const stored = state === "JOB_STATE_COMPLETED" && blob ? { blob: blobOf(blob) } : {};
  return { jobId: id, did, state, progress, ...failure, ...stored };
}

const Start = z.object({
  sizeBytes: z.int().min(1),
  mimeType: z.string().min(3).max(255),
  name: z.string().max(256).optional(),
  durationMs: z.int().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
});

/** `app.bsky.video.startUpload` */
export async function startUpload(state: BlueskyState, call: Call): Promise<Response> {
  const did = uploader(state, call);
  const body = Start.safeParse(await call.req.json().catch(() => undefined));
  if (!body.success) throw invalidRequest(`Input/${body.error.issues[0]?.path.join("/")} is invalid`);
  const { sizeBytes, mimeType, durationMs = 0 } = body.data;
  if (!TYPES.includes(mimeType)) throw invalidRequest("Unsupported content type", "UnsupportedContentType");
  if (sizeBytes > MAX_BYTES) throw invalidRequest("Video is too large", "VideoTooLarge");
  if (durationMs > state.switches.maxVideoSeconds * 1000) throw invalidRequest("Video is too long", "VideoTooLong");
  const id = randomToken(9);
  const partCount = Math.ceil(sizeBytes / PART_BYTES);
  const expiresAt = state.world.clock.now() + UPLOAD_SECONDS * 1000;
  state.uploads.put(id, { id, did, sizeBytes, partSizeBytes: PART_BYTES, partCount, parts: {}, expiresAt });
  const expires = new Date(expiresAt).toISOString();
  return call.json({ jobId: id, partSizeBytes: PART_BYTES, partCount, expiresAt: expires });
}

/** `app.bsky.video.uploadPart`: parts are numbered from 1, must have the exact length and may be sent again. */
export async function uploadPart(state: BlueskyState, call: Call): Promise<Response> {
  const upload = ownUpload(state, uploader(state, call), call.req.query("jobId"));
  const part = Number(call.req.query("partNumber"));
  if (!(Number.isInteger(part) && part >= 1 && part <= upload.partCount))
    throw invalidRequest("Part number is out of range", "InvalidPartNumber");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  const expected = Math.min(PART_BYTES, upload.sizeBytes - (part - 1) * PART_BYTES);
  if (bytes.length !== expected) throw invalidRequest(`Part must have ${expected} bytes`, "PartSizeMismatch");
  fs.mkdirSync(directoryOf(state, upload), { recursive: true });
  fs.writeFileSync(path.join(directoryOf(state, upload), String(part)), bytes);
  const latest = state.uploads.get(upload.id) ?? upload;
  state.uploads.put(upload.id, { ...latest, parts: { ...latest.parts, [part]: "received" } });
  return call.json({ partNumber: part, sizeBytes: bytes.length });
}

/** `app.bsky.video.finishUpload`: idempotent. For a file that was processed before, it returns the earlier job. */
export async function finishUpload(state: BlueskyState, call: Call): Promise<Response> {
  const did = uploader(state, call);
  const { jobId } = z.object({ jobId: z.string() }).parse(await call.req.json());
  const upload = ownUpload(state, did, jobId);
  const known = upload.completedJobId ? state.jobs.get(upload.completedJobId) : undefined;
  if (known) return call.json({ completedJobId: known.id, jobStatus: present(known) });
  const numbers = Array.from({ length: upload.partCount }, (_, index) => String(index + 1));
  const missing = numbers.filter((part) => !upload.parts[part]);
  if (missing.length > 0) throw invalidRequest(`Missing parts: ${missing.join(", ")}`, "MissingParts");
  const bytes = Buffer.concat(numbers.map((part) => fs.readFileSync(path.join(directoryOf(state, upload), part))));
  const job = findCompletedJob(state, did, bytes) ?? (await startJob(state, call, did, bytes));
  state.uploads.put(upload.id, { ...upload, completedJobId: job.id });
  fs.rmSync(directoryOf(state, upload), { recursive: true, force: true });
  return call.json({ completedJobId: job.id, jobStatus: present(job) });
}

function ownUpload(state: BlueskyState, did: string, id = ""): VideoUpload {
  const upload = state.uploads.get(id);
  if (upload?.did !== did) throw new XrpcError(404, "UploadNotFound", "Upload not found");
  if (upload.expiresAt <= state.world.clock.now()) throw invalidRequest("Upload expired", "UploadExpired");
  return upload;
}

function directoryOf(state: BlueskyState, { id }: VideoUpload): string {
  return path.join(state.world.dir, "bluesky-uploads", id);
}
