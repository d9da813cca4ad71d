import { PlatformError } from "../errors";
import type { OutgoingPost, Published, Run } from "../network";
import { creatorInfo, initVideo } from "./api";
import { captionOf } from "./caption";
import { planOf } from "./chunks";
import { assertAllowed } from "./creator";
import { assertAgain, outcomeOf, published } from "./outcome";
import type { TikTokSettings } from "./settings";
import { uploadVideo } from "./upload";

type Post = OutgoingPost<TikTokSettings>;
/** An address to upload to lives an hour; a new one is begun when it has ended. */
const ADDRESSES = 5;

/** One video, sent in chunks. An upload that was begun and not completed publishes nothing, so beginning anew is harmless. */
export async function publishVideo(post: Post, run: Run): Promise<Published> {
  for (let [attempt, ended] = [1, 0]; ; attempt++) {
    const part = attempt === 1 ? "video" : `video, time ${attempt}`;
    // Not forgotten before its end is known, or a video that goes out after all would go out twice.
    const upload = await run.commit(`${part}, begin`, () => begin(post, run), {
      find: async () => undefined,
      repeatable: true,
    });
    if ((await uploadVideo(run, part, upload, videoOf(post))) === "gone") {
      ended += 1;
      if (ended < ADDRESSES) continue;
      throw new PlatformError("rejected", "TikTok ended the upload before the video had arrived, several times over");
    }
    const { publishId } = upload;
    const outcome = await outcomeOf(run, part, publishId);
    if (!outcome.failed) return published(run, part, { kind: "video", publishId, outcome }, post.settings);
    assertAgain(outcome, attempt - ended);
  }
}

async function begin(post: Post, run: Run) {
  const { settings } = post;
  const media = videoOf(post);
  assertAllowed(await creatorInfo(run), settings, media);
  const { chunkSize, chunks } = planOf(media.sizeBytes);
  const info = {
    privacy_level: settings.privacyLevel,
    title: captionOf(post) || undefined,
    disable_duet: settings.disableDuet,
    disable_comment: settings.disableComments,
    disable_stitch: settings.disableStitch,
    brand_content_toggle: settings.brandContent,
    brand_organic_toggle: settings.brandOrganic,
    is_aigc: settings.aiContent,
  };
  return initVideo(run, info, {
    video_size: media.sizeBytes,
    chunk_size: chunkSize,
    total_chunk_count: chunks.length,
  });
}

function videoOf({ media: [video] }: Post) {
  if (!video) throw new PlatformError("rejected", "A TikTok post needs a video");
  return video;
}
