import { z } from "zod";
import { PlatformError } from "../errors";
import type { NetworkCall, OutgoingMedia, Session } from "../network";
import { readAnswer } from "../wire/json";
import { authorOf, rest } from "./rest";

/** The part of a file's interface that an upload needs. */
type Sendable = Pick<OutgoingMedia, "sizeBytes" | "open">;

const imageSchema = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string() }) });

/** …/shares/images-api: uploads an image in one request with the member's token, and returns its URN. */
export async function uploadImage(session: Session, media: Sendable): Promise<string> {
  const body = { initializeUploadRequest: { owner: authorOf(session) } };
  const begun = await rest(session, "/rest/images?action=initializeUpload", body);
  const { value } = await readAnswer("LinkedIn", imageSchema, begun);
  await put(session, value.uploadUrl, media);
  return value.image;
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

export type VideoUpload = z.output<typeof videoSchema>["value"];
export type Instruction = VideoUpload["uploadInstructions"][number];

/** …/shares/videos-api: starts a video upload; LinkedIn decides how the file is split into parts. */
export async function beginVideo(session: Session, media: OutgoingMedia, hasThumbnail: boolean): Promise<VideoUpload> {
  const initializeUploadRequest = {
    owner: authorOf(session),
    fileSizeBytes: media.sizeBytes,
    uploadCaptions: false,
    uploadThumbnail: hasThumbnail,
  };
  const response = await rest(session, "/rest/videos?action=initializeUpload", { initializeUploadRequest });
  return (await readAnswer("LinkedIn", videoSchema, response)).value;
}

/** Sends one part and returns its ETag, which identifies it. LinkedIn's last range can extend beyond the end of the file. */
export async function putPart(session: Session, media: OutgoingMedia, part: Instruction): Promise<string> {
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
export async function putThumbnail(session: Session, uploadUrl: string, thumbnail: OutgoingMedia): Promise<void> {
  const headers = { "media-type-family": "STILLIMAGE" };
  await put(session, uploadUrl, thumbnail, { auth: "none", headers });
}

async function put(
  session: Session,
  uploadUrl: string,
  media: Sendable,
  call: NetworkCall = {},
  range?: { first: number; last: number },
): Promise<Response> {
  const length = range ? range.last - range.first + 1 : media.sizeBytes;
  const own = { "content-type": "application/octet-stream", "content-length": String(length) };
  const headers = { ...own, ...call.headers };
  const body = await media.open(range);
  return session.fetch(uploadUrl, { ...call, method: "PUT", headers, body, timeoutSeconds: 300 }).catch(tooOld);
}

/** 401 and 403 from the upload host mean that the upload address expired; they are not about the account. */
function tooOld(error: unknown): never {
  if (!(error instanceof PlatformError) || !isUnauthorized(error)) throw error;
  throw new PlatformError("later", "LinkedIn did not accept the file right now", { answer: error.answer });
}

const isUnauthorized = ({ answer }: PlatformError) => answer?.status === 401 || answer?.status === 403;

/** Whether an upload address has expired, so that a new one is needed. */
export function isUploadOver(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error.kind !== "later") return false;
  return isUnauthorized(error) || error.answer?.code === "EXPIRED_UPLOAD_URL";
}

/** Completes the upload. The parts are listed in order, which defines how the video is assembled. */
export async function finishVideo(session: Session, upload: VideoUpload, uploadedPartIds: string[]): Promise<void> {
  const { video, uploadToken } = upload;
  const finalizeUploadRequest = { video, uploadToken, uploadedPartIds };
  await rest(session, "/rest/videos?action=finalizeUpload", { finalizeUploadRequest });
}

const statusSchema = z.object({ status: z.string(), processingFailureReason: z.string().optional() });

export async function videoStatus(session: Session, urn: string) {
  const response = await rest(session, `/rest/videos/${encodeURIComponent(urn)}`);
  return readAnswer("LinkedIn", statusSchema, response);
}
