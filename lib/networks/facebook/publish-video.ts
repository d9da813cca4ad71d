import { z } from "zod";
import { PlatformError } from "../errors";
import type { OutgoingMedia, Published, Run } from "../network";
import { readAnswer } from "../wire/json";
import { type GraphCaller, postForm, postMultipart } from "./api";
import { processingError } from "./errors";
import { likenessOf } from "./find";
import { buttonOf, type FacebookPost, pageOfPost, singleMedia } from "./publish";
import { awaitUpload, readVideo, refusedAgain, uploadChunked, uploadWhole, type VideoState } from "./upload";

const doneSchema = z.object({ success: z.literal(true) });

/** Publishes a video in the feed. */
export async function publishVideo(sent: FacebookPost, run: Run): Promise<Published> {
  const { page, pageId } = await pageOfPost(sent, run);
  const { sessionId, videoId } = await uploadChunked(run, page, pageId, singleMedia(sent));
  const fields = {
    upload_phase: "finish",
    upload_session_id: sessionId,
    description: sent.content || undefined,
    call_to_action: buttonOf(sent, sent.settings.link),
  };
  await finish(run, page, { videoId, message: sent.content }, async () => {
    await readAnswer(
      "Facebook",
      doneSchema,
      await postForm(page, `/${pageId}/videos`, fields, { host: "video", timeoutSeconds: 120 }),
    );
  });
  return shown(run, page, videoId, sent.thumbnail, `https://www.facebook.com/${pageId}/videos/${videoId}`);
}

/** Publishes a reel, in three phases. */
export async function publishReel(sent: FacebookPost, run: Run): Promise<Published> {
  const { page, pageId } = await pageOfPost(sent, run);
  const videoId = await uploadWhole(run, page, "reel", `/${pageId}/video_reels`, singleMedia(sent));
  await awaitUpload(run, page, "reel", videoId);
  await finish(run, page, { videoId, message: sent.content }, async () => {
    const fields = {
      upload_phase: "finish",
      video_id: videoId,
      video_state: "PUBLISHED",
      description: sent.content || undefined,
      place: sent.settings.placeId,
    };
    await readAnswer(
      "Facebook",
      doneSchema,
      await postForm(page, `/${pageId}/video_reels`, fields, { timeoutSeconds: 120 }),
    );
  });
  return shown(run, page, videoId, sent.thumbnail, `https://www.facebook.com/reel/${videoId}`);
}

/**
 * Makes the call that publishes a video. The call names the video, whose state shows whether it was published: it is repeated
 * only if the video is still in state `uploaded`. The Page lists the video under another ID, so until that is known, no lookup
 * of a text may take it for its own (`lookalikes`).
 */
function finish(
  run: Run,
  page: GraphCaller,
  { videoId, message }: { videoId: string; message: string },
  work: () => Promise<void>,
): Promise<{ id: string }> {
  const call = async (isRepeated: boolean) => {
    await work().catch((error: unknown) => {
      throw isRepeated ? refusedAgain(error) : error;
    });
    return { id: videoId };
  };
  const find = async () => {
    const { state } = await readVideo(page, videoId);
    if (state === "waiting") throw new PlatformError("later", "Facebook is still processing this video");
    return state === "published" ? { id: videoId } : undefined;
  };
  const lookalikes = { likeness: likenessOf({ message, hasPhotos: false }) };
  return run.commit("publish", call, { find, lookalikes, repeatable: true });
}

/** Facebook processes the video after the call; the post's own ID and address exist only afterwards. */
async function shown(
  run: Run,
  page: GraphCaller,
  videoId: string,
  cover: OutgoingMedia | undefined,
  address: string,
): Promise<Published> {
  const processed = async () => {
    const now = await readVideo(page, videoId);
    return now.state === "published" || now.state === "failed" ? now : undefined;
  };
  const video = await run.poll<VideoState>("processed", processed, "commit");
  if (video.state === "failed") throw processingError(video.fault);
  if (cover) await run.step("cover", () => setCover(page, videoId, cover));
  return { id: video.postId ?? videoId, permalink: video.permalink ?? address };
}

/** The video is already public: if its cover is refused, it keeps the one that Facebook chose. */
async function setCover(page: GraphCaller, videoId: string, cover: OutgoingMedia): Promise<boolean> {
  const { filename, contentType, sizeBytes } = cover;
  const source = { filename, contentType, sizeBytes, open: () => cover.open() };
  try {
    await postMultipart(page, `/${videoId}/thumbnails`, { is_preferred: "true", source });
    return true;
  } catch (error) {
    if (error instanceof PlatformError) return false;
    throw error;
  }
}
