import { PlatformError } from "../errors";
import type { OutgoingPost, Published, Run } from "../network";
import { assertAllowed, assertMayDraft, creatorInfo, initDraft, initVideo } from "./api";
import type { TikTokSettings } from "./settings";
import { captionOf } from "./settings";
import { assertRetryAllowed, awaitResult, publishedPost } from "./status";
import { chunkBytesFor, chunkPlan, SMALLER_CHUNK_BYTES, type TikTokUpload, uploadVideo } from "./upload";

type Post = OutgoingPost<TikTokSettings>;
/** An upload address is valid for one hour; a new upload is started if it has expired. */
const ADDRESSES = 5;

/** Publishes one video, sent in chunks. An incomplete upload publishes nothing, so a new one can be started safely. */
export async function publishVideo(post: Post, run: Run): Promise<Published> {
  for (let [attempt, ended] = [1, 0]; ; attempt++) {
    const part = attempt === 1 ? "video" : `video, time ${attempt}`;
    // Kept until its outcome is known; otherwise a video that is published late would be sent twice.
    const upload = await run.commit(`${part}, begin`, () => begin(post, run), {
      find: async () => undefined,
      repeatable: true,
    });
    if ((await uploadVideo(run, part, upload, singleVideo(post))) === "gone") {
      ended += 1;
      if (ended < ADDRESSES) continue;
      throw new PlatformError("rejected", "TikTok ended the upload several times before the video was complete");
    }
    const { publishId } = upload;
    const outcome = await awaitResult(run, part, publishId);
    if (!outcome.failed) return publishedPost(run, part, { kind: "video", publishId, outcome }, post.settings);
    assertRetryAllowed(outcome, attempt - ended);
  }
}

/** Begins an upload. If TikTok refuses the size of the chunks, begins another one with smaller chunks: this publishes nothing. */
async function begin(post: Post, run: Run): Promise<TikTokUpload> {
  const { sizeBytes } = singleVideo(post);
  if (post.settings.sendToDrafts) assertMayDraft(run);
  else assertAllowed(await creatorInfo(run), post.settings, singleVideo(post));
  const chunkBytes = chunkBytesFor(sizeBytes);
  try {
    return await announce(post, run, chunkBytes);
  } catch (error) {
    if (chunkBytes === sizeBytes || !isChunkRefused(error)) throw error;
    return announce(post, run, SMALLER_CHUNK_BYTES);
  }
}

function isChunkRefused(error: unknown): boolean {
  const { code = "", message = "" } = (error instanceof PlatformError && error.answer) || {};
  return /^invalid_params?$/.test(code) && /chunk/i.test(message);
}

async function announce(post: Post, run: Run, chunkBytes: number): Promise<TikTokUpload> {
  const { settings } = post;
  const media = singleVideo(post);
  const { chunkSize, chunks } = chunkPlan(media.sizeBytes, chunkBytes);
  const source = { video_size: media.sizeBytes, chunk_size: chunkSize, total_chunk_count: chunks.length };
  if (settings.sendToDrafts) return { ...(await initDraft(run, source)), chunkBytes };
  const info = {
    privacy_level: settings.privacyLevel,
    title: captionOf(post) || undefined,
    disable_duet: settings.disableDuet,
    disable_comment: settings.disableComments,
    disable_stitch: settings.disableStitch,
    brand_content_toggle: settings.brandContent,
    brand_organic_toggle: settings.brandOrganic,
    is_aigc: settings.aiContent || undefined,
    video_cover_timestamp_ms: settings.videoCoverTimestampMs,
  };
  return { ...(await initVideo(run, info, source)), chunkBytes };
}

function singleVideo({ media: [video] }: Post) {
  if (!video) throw new PlatformError("rejected", "A TikTok post needs a video");
  return video;
}
