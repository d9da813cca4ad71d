import { z } from "zod";
import { env } from "../../env";
import { PlatformError } from "../errors";
import type { NetworkCall, NetworkSession, OutgoingMedia, Run } from "../network";
import { readAnswer } from "../wire/json";
import { rest } from "./api";

/** The part of a file's interface that an upload needs. */
type Sendable = Pick<OutgoingMedia, "sizeBytes" | "open">;

const imageSchema = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string() }) });

/** …/shares/images-api: uploads an image in one request with the member's token, and returns its URN. `owner` is the author of its post. */
export async function uploadImage(session: NetworkSession, media: Sendable, owner: string): Promise<string> {
  const body = { initializeUploadRequest: { owner } };
  const begun = await rest(session, "/rest/images?action=initializeUpload", body);
  const { value } = await readAnswer("LinkedIn", imageSchema, begun);
  await put(session, value.uploadUrl, media);
  return value.image;
}

const documentSchema = z.object({ value: z.object({ uploadUrl: z.url(), document: z.string() }) });

/** …/shares/documents-api: uploads a document in one request with the member's token, and returns its URN. */
export async function uploadDocument(session: NetworkSession, media: Sendable, owner: string): Promise<string> {
  const body = { initializeUploadRequest: { owner } };
  const begun = await rest(session, "/rest/documents?action=initializeUpload", body);
  const { value } = await readAnswer("LinkedIn", documentSchema, begun);
  await put(session, value.uploadUrl, media);
  return value.document;
}

const UNREADABLE_WAIT_MS = 10_000 / env.timeFactor;

type Readable = "images" | "documents";
const WHAT = { images: "an image", documents: "the document" } as const;

/**
 * Waits until LinkedIn has processed uploaded files: a post that is created before answers 201 and may stay invisible. Tokens of
 * members usually may not read them; then we wait for a fixed time, as production clients do.
 * @throws PlatformError `rejected` if LinkedIn could not process a file
 */
export async function awaitFiles(run: Run, edge: Readable, name: string, urns: string[]): Promise<void> {
  const [first] = urns;
  if (!first) return;
  const { at, isReadable } = await run.step(`${name} sent`, async () => ({
    at: Date.now(),
    isReadable: await assetStatus(run, edge, first).then(() => true, falseIfRefused),
  }));
  const { failed } = await run.poll(`${name} ready`, async () => {
    const hasWaited = Date.now() - at >= UNREADABLE_WAIT_MS;
    if (!isReadable) return hasWaited ? { failed: false } : undefined;
    for (const urn of urns) {
      const status = await assetStatus(run, edge, urn).then((asset) => asset.status, missingIfNotFound);
      if (status === "PROCESSING_FAILED") return { failed: true };
      if (status !== "AVAILABLE" && !(status === "missing" && hasWaited)) return undefined;
    }
    return { failed: false };
  });
  if (failed)
    throw new PlatformError("rejected", `LinkedIn could not process ${WHAT[edge]}`, {
      answer: { status: 200, code: "MEDIA_ASSET_PROCESSING_FAILED" },
    });
}

function falseIfRefused(error: unknown): false {
  if (error instanceof PlatformError && error.kind !== "reconnect") return false;
  throw error;
}

/** Right after an upload, not all of LinkedIn's servers know the file. */
function missingIfNotFound(error: unknown): "missing" {
  if (error instanceof PlatformError && error.answer?.status === 404) return "missing";
  throw error;
}

const videoSchema = z.object({
  value: z.object({
    video: z.string(),
    uploadToken: z.string().default(""),
    uploadInstructions: z
      .array(z.object({ uploadUrl: z.url(), firstByte: z.number().int(), lastByte: z.number().int() }))
      .min(1),
    thumbnailUploadUrl: z.url().optional(),
  }),
});

type VideoUpload = z.output<typeof videoSchema>["value"];
/** `owner` is the author of the post. */
type VideoFiles = { media: OutgoingMedia; thumbnail?: OutgoingMedia; owner: string };
type Instruction = VideoUpload["uploadInstructions"][number];

/** …/shares/videos-api: starts a video upload; LinkedIn decides how the file is split into parts. */
async function beginVideo(session: NetworkSession, { media, thumbnail, owner }: VideoFiles): Promise<VideoUpload> {
  const initializeUploadRequest = {
    owner,
    fileSizeBytes: media.sizeBytes,
    uploadCaptions: false,
    uploadThumbnail: thumbnail !== undefined,
  };
  const response = await rest(session, "/rest/videos?action=initializeUpload", { initializeUploadRequest });
  return (await readAnswer("LinkedIn", videoSchema, response)).value;
}

/** Sends one part and returns its ETag, which identifies it. LinkedIn's last range can extend beyond the end of the file. */
async function putPart(session: NetworkSession, media: OutgoingMedia, part: Instruction): Promise<string> {
  const { uploadUrl, firstByte } = part;
  const range = { first: firstByte, last: Math.min(part.lastByte, media.sizeBytes - 1) };
  const response = await put(session, uploadUrl, media, { auth: "none" }, range);
  const etag = response.headers.get("etag")?.replace(/^W\//, "").replaceAll('"', "");
  if (etag) return etag;
  throw new PlatformError("later", "LinkedIn accepted a part of the video without returning its ETag", {
    answer: { status: response.status },
  });
}

/** Uploads the image that is shown until the video plays. */
async function putThumbnail(session: NetworkSession, uploadUrl: string, thumbnail: OutgoingMedia): Promise<void> {
  const headers = { "media-type-family": "STILLIMAGE" };
  await put(session, uploadUrl, thumbnail, { auth: "none", headers });
}

async function put(
  session: NetworkSession,
  uploadUrl: string,
  media: Sendable,
  call: NetworkCall = {},
  range?: { first: number; last: number },
): Promise<Response> {
  const length = range ? range.last - range.first + 1 : media.sizeBytes;
  const own = { "content-type": "application/octet-stream", "content-length": String(length) };
  const headers = { ...own, ...call.headers };
  const body = await media.open(range);
  return session
    .fetch(uploadUrl, { ...call, method: "PUT", headers, body, timeoutSeconds: 300 })
    .catch(asUploadAddressExpired);
}

/** 401 and 403 from the upload host mean that the upload address expired; they are not about the account. */
function asUploadAddressExpired(error: unknown): never {
  if (!(error instanceof PlatformError) || !isUnauthorized(error)) throw error;
  throw new PlatformError("later", "LinkedIn did not accept the file right now", { answer: error.answer });
}

const isUnauthorized = ({ answer }: PlatformError) => answer?.status === 401 || answer?.status === 403;

/** Whether an upload address has expired, so that a new one is needed. */
function isUploadAddressExpired(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error.kind !== "later") return false;
  return isUnauthorized(error) || error.answer?.code === "EXPIRED_UPLOAD_URL";
}

/** Completes the upload. The parts are listed in order, which defines how the video is assembled. */
async function finishVideo(session: NetworkSession, upload: VideoUpload, uploadedPartIds: string[]): Promise<void> {
  const { video, uploadToken } = upload;
  const finalizeUploadRequest = { video, uploadToken, uploadedPartIds };
  await rest(session, "/rest/videos?action=finalizeUpload", { finalizeUploadRequest });
}

const statusSchema = z.object({ status: z.string(), processingFailureReason: z.string().optional() });

async function assetStatus(session: NetworkSession, edge: Readable | "videos", urn: string) {
  const response = await rest(session, `/rest/${edge}/${encodeURIComponent(urn)}`);
  return readAnswer("LinkedIn", statusSchema, response);
}

const UPLOADS = 2;
const BEGINS_TO_BE_READY_SECONDS = 10;
const MOST_SECONDS = 120;

/**
 * Uploads a video, waits until LinkedIn has processed it, and returns its URN. A failed upload is repeated once.
 * @param from the number of the first upload: 2 if LinkedIn refused a post because of the first one
 */
export async function prepareVideo(files: VideoFiles, run: Run, from: number): Promise<string> {
  let reason: string | undefined;
  for (let upload = from; upload <= UPLOADS; upload++) {
    const name = `video, upload ${upload}`;
    const urn = await uploadParts(name, files, run).catch((error: unknown) => {
      if (!(isUploadAddressExpired(error) || isProcessingFailed(error)) || upload === UPLOADS) throw error;
      return undefined;
    });
    if (!urn) continue;
    const sentAt = await run.step(`${name} sent`, async () => Date.now());
    const outcome = await run.poll(`${name} ready`, () => readVideoStatus(run, urn, sentAt, files.media));
    if (outcome.status === "AVAILABLE") return urn;
    reason = outcome.processingFailureReason;
  }
  throw new PlatformError("rejected", `LinkedIn could not process the video${reason ? `: ${reason}` : ""}`);
}

/** Uploads part by part and records each part, so that an interrupted upload sends only what is missing. */
async function uploadParts(name: string, files: VideoFiles, run: Run) {
  const { media, thumbnail } = files;
  const upload = await run.step(name, () => beginVideo(run, files));
  const tags: string[] = [];
  for (const [index, part] of upload.uploadInstructions.entries()) {
    tags.push(await run.step(`${name}, part ${index + 1}`, () => putPart(run, media, part)));
  }
  const { thumbnailUploadUrl } = upload;
  if (thumbnail && thumbnailUploadUrl) {
    await run.step(`${name}, thumbnail`, () => putThumbnail(run, thumbnailUploadUrl, thumbnail).then(() => true));
  }
  await run.step(`${name}, finished`, () => finishVideo(run, upload, tags).then(() => true));
  return upload.video;
}

/**
 * Whether a member's token may read the status is not documented. If LinkedIn refuses it, or does not know the video yet, we wait
 * for an estimated time; LinkedIn then rejects the post if the video is still not ready.
 */
async function readVideoStatus(run: Run, urn: string, sentAt: number, media: OutgoingMedia) {
  try {
    const now = await assetStatus(run, "videos", urn);
    return now.status === "AVAILABLE" || now.status === "PROCESSING_FAILED" ? now : undefined;
  } catch (error) {
    if (!(error instanceof PlatformError) || ![403, 404].includes(error.answer?.status ?? 0)) throw error;
    const seconds = Math.min(MOST_SECONDS, BEGINS_TO_BE_READY_SECONDS + media.sizeBytes / 1_048_576);
    return Date.now() - sentAt < seconds * 1000
      ? undefined
      : { status: "AVAILABLE", processingFailureReason: undefined };
  }
}

/** Whether LinkedIn failed to process the file. A second upload can succeed; more are pointless. */
export function isProcessingFailed(error: unknown): boolean {
  const code = error instanceof PlatformError ? error.answer?.code : undefined;
  return code === "MEDIA_ASSET_PROCESSING_FAILED" || code === "UPDATING_ASSET_FAILED";
}
