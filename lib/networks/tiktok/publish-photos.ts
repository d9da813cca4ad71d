import { PlatformError } from "../errors";
import type { NetworkSession, OutgoingPost, Published, Run } from "../network";
import { assertAllowed, creatorInfo, initPhotos, type ListedVideo, newestVideos } from "./api";
import type { TikTokSettings } from "./settings";
import { assertRetryAllowed, awaitResult, publishedPost, withPermalink } from "./status";

const CLOCK_DIFFERENCE_MS = 60_000;

type ExpectedPhotos = Pick<OutgoingPost<TikTokSettings>, "content" | "settings">;

/**
 * Finds the one photo post since `since` with the same texts; undefined if TikTok lists none. The list contains only public
 * posts, and can be read only with the scope `video.list`.
 * @throws PlatformError if the list cannot answer the question
 */
async function findPhotos(session: NetworkSession, expected: ExpectedPhotos, since: Date): Promise<string | undefined> {
  const isListed = expected.settings.privacyLevel === "PUBLIC_TO_EVERYONE";
  if (!isListed || !session.tokens.scopes?.includes("video.list"))
    throw new PlatformError("later", "TikTok shows this post only to its creator");
  const from = (since.getTime() - CLOCK_DIFFERENCE_MS) / 1000;
  const videos = await newestVideos(session);
  const matches = videos.filter((video) => video.create_time >= from && isSamePhotoPost(video, expected));
  if (matches.length > 1) throw new PlatformError("later", "TikTok lists several posts with the same text");
  return matches[0]?.id;
}

/** TikTok does not document which field of a listed photo post has which text, so each text must be in one of the fields. */
export function isSamePhotoPost(video: ListedVideo, { content, settings }: ExpectedPhotos): boolean {
  const isVideo = /\/video\//.test(video.share_url ?? "");
  const shown = [video.title, video.video_description].map((text) => text?.trim() ?? "");
  const said = [settings.title, content].map((text) => text.trim()).filter(Boolean);
  if (said.length === 0) return !isVideo && shown.every((text) => text === "");
  return !isVideo && said.every((text) => shown.some((one) => one === text || one.split("\n").includes(text)));
}

type Post = OutgoingPost<TikTokSettings>;
/** Longer than a post may be processed, so one try reads the creator's options once. */
const FRESH_MS = 3_600_000;

/** Publishes one photo or several by one call: TikTok fetches and publishes them itself. */
export async function publishPhotos(post: Post, run: Run): Promise<Published> {
  for (let attempt = 1; ; attempt++) {
    const part = attempt === 1 ? "photos" : `photos, time ${attempt}`;
    await assertCreator(post, run, part);
    const begun = await run.commit(
      `${part}, publish`,
      async () => ({ publishId: await initPhotos(run, await bodyOf(post)) }),
      {
        find: async (since) => {
          const postId = await findPhotos(run, post, since);
          return postId === undefined ? undefined : { publishId: "", postId };
        },
      },
    );
    if ("postId" in begun && typeof begun.postId === "string") return withPermalink(run, "photo", begun.postId);
    const { publishId } = begun;
    const outcome = await awaitResult(run, part, publishId);
    if (!outcome.failed) return publishedPost(run, part, { kind: "photo", publishId, outcome }, post.settings);
    assertRetryAllowed(outcome, attempt);
  }
}

/** Checks the creator's options right before the call, and again if the call had to wait. */
async function assertCreator(post: Post, run: Run, part: string): Promise<void> {
  const look = async () => ({ creator: await creatorInfo(run), at: Date.now() });
  const first = await run.step(`${part}, creator`, look);
  const isFresh = Date.now() - first.at < FRESH_MS;
  const { creator } = isFresh ? first : await run.step(`${part}, creator again`, look);
  assertAllowed(creator, post.settings);
}

async function bodyOf({ content, media, settings }: Post) {
  if (media.length === 0) throw new PlatformError("rejected", "A TikTok post needs a photo");
  return {
    post_info: {
      title: settings.title || undefined,
      description: content || undefined,
      privacy_level: settings.privacyLevel,
      disable_comment: settings.disableComments,
      auto_add_music: settings.autoAddMusic,
      brand_content_toggle: settings.brandContent,
      brand_organic_toggle: settings.brandOrganic,
    },
    source_info: {
      source: "PULL_FROM_URL",
      photo_images: await Promise.all(media.map((photo) => photo.publicUrl())),
      photo_cover_index: 0,
    },
    is_aigc: settings.aiContent,
  };
}
