import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import { beginVideo, finishVideo, isUploadOver, putPart, putThumbnail, videoStatus } from "./uploads";

const UPLOADS = 2;
const BEGINS_TO_BE_READY_SECONDS = 10;
const MOST_SECONDS = 120;

/**
 * Uploads a video, waits until LinkedIn has processed it, and returns its URN. A failed upload is repeated once.
 * @param from the number of the first upload: 2 if LinkedIn refused a post because of the first one
 */
export async function preparedVideo(
  media: OutgoingMedia,
  thumbnail: OutgoingMedia | undefined,
  run: Run,
  from: number,
): Promise<string> {
  let reason: string | undefined;
  for (let upload = from; upload <= UPLOADS; upload++) {
    const name = `video, upload ${upload}`;
    const urn = await uploaded(name, media, thumbnail, run).catch((error: unknown) => {
      if (!(isUploadOver(error) || isSpoiled(error)) || upload === UPLOADS) throw error;
      return undefined;
    });
    if (!urn) continue;
    const sentAt = await run.step(`${name} sent`, async () => Date.now());
    const outcome = await run.poll(`${name} ready`, () => lookedAt(run, urn, sentAt, media));
    if (outcome.status === "AVAILABLE") return urn;
    reason = outcome.processingFailureReason;
  }
  throw new PlatformError("rejected", `LinkedIn could not process the video${reason ? `: ${reason}` : ""}`);
}

/** Uploads part by part and records each part, so that an interrupted upload sends only what is missing. */
async function uploaded(name: string, media: OutgoingMedia, thumbnail: OutgoingMedia | undefined, run: Run) {
  const upload = await run.step(name, () => beginVideo(run, media, thumbnail !== undefined));
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
 * Whether a member's token may read the status is not documented. If LinkedIn refuses it, we wait for an estimated time;
 * LinkedIn then rejects the post if the video is still not ready.
 */
async function lookedAt(run: Run, urn: string, sentAt: number, media: OutgoingMedia) {
  try {
    const now = await videoStatus(run, urn);
    return now.status === "AVAILABLE" || now.status === "PROCESSING_FAILED" ? now : undefined;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.answer?.status !== 403) throw error;
    const seconds = Math.min(MOST_SECONDS, BEGINS_TO_BE_READY_SECONDS + media.sizeBytes / 1_048_576);
    return Date.now() - sentAt < seconds * 1000
      ? undefined
      : { status: "AVAILABLE", processingFailureReason: undefined };
  }
}

/** Whether LinkedIn failed to process the file. A second upload can succeed; more are pointless. */
export function isSpoiled(error: unknown): boolean {
  const code = error instanceof PlatformError ? error.answer?.code : undefined;
  return code === "MEDIA_ASSET_PROCESSING_FAILED" || code === "UPDATING_ASSET_FAILED";
}
