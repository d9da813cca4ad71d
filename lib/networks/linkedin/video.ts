import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import { beginVideo, finishVideo, isUploadOver, putPart, putThumbnail, videoStatus } from "./uploads";

const UPLOADS = 2;
const BEGINS_TO_BE_READY_SECONDS = 10;
const MOST_SECONDS = 120;

/**
 * A video that LinkedIn has worked on, by its URN; one that fails there is sent once more.
 * @param from the first upload to count from: 2 where LinkedIn refused a post for the one before
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

/** Part by part, each remembered: after a cut only what is missing is sent. */
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

/** Whether a member's token may look is not documented: where it may not, time stands in, and LinkedIn refuses what is not ready. */
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

/** LinkedIn could not make anything of what was sent: a second upload may fare better, a third is in vain. */
export function isSpoiled(error: unknown): boolean {
  const code = error instanceof PlatformError ? error.answer?.code : undefined;
  return code === "MEDIA_ASSET_PROCESSING_FAILED" || code === "UPDATING_ASSET_FAILED";
}
