import { PlatformError } from "../errors";
import type { OutgoingPost, Published, Run } from "../network";
import { creatorInfo, initPhotos } from "./api";
import { assertAllowed } from "./creator";
import { findPhotos } from "./find";
import { assertAgain, linked, outcomeOf, published } from "./outcome";
import type { TikTokSettings } from "./settings";

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
    if ("postId" in begun && typeof begun.postId === "string") return linked(run, "photo", begun.postId);
    const { publishId } = begun;
    const outcome = await outcomeOf(run, part, publishId);
    if (!outcome.failed) return published(run, part, { kind: "photo", publishId, outcome }, post.settings);
    assertAgain(outcome, attempt);
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
