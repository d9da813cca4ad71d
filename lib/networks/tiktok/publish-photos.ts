import { normalized } from "../../text";
import { PlatformError, ReadBackImpossible } from "../errors";
import type { Lookalike, NetworkSession, OutgoingPost, Published, Run } from "../network";
import { assertAllowed, assertMayDraft, creatorInfo, initPhotos, type ListedVideo, newestVideos } from "./api";
import type { TikTokSettings } from "./settings";
import { assertRetryAllowed, awaitResult, publishedPost, withPermalink } from "./status";

type ExpectedPhotos = Pick<OutgoingPost<TikTokSettings>, "content" | "settings">;

/** TikTok lists only public posts, so no drafts, and only with the scope `video.list`. */
function isListed(session: NetworkSession, { settings }: ExpectedPhotos): boolean {
  if (settings.sendToDrafts) return false;
  return settings.privacyLevel === "PUBLIC_TO_EVERYONE" && session.tokens.scopes?.includes("video.list") === true;
}

/** Lists the account's newest photo posts with the same texts. */
async function lookalikes(session: NetworkSession, expected: ExpectedPhotos): Promise<Lookalike[]> {
  const same = (await newestVideos(session)).filter((video) => isSamePhotoPost(video, expected));
  return same.map(({ id, create_time }) => ({ id, createdAt: new Date(create_time * 1000) }));
}

/**
 * TikTok does not document which field of a listed photo post has which text, and is reported to drop line breaks. So both fields
 * are compared together, in any order and without white space.
 */
export function isSamePhotoPost(video: ListedVideo, { content, settings }: ExpectedPhotos): boolean {
  if (/\/video\//.test(video.share_url ?? "")) return false;
  const [title, text] = [bare(settings.title), bare(content)];
  const [first, second] = [bare(video.title), bare(video.video_description)];
  const shown = [first + second, second + first, joined(first, second)];
  return shown.includes(title + text) || shown.includes(text + title);
}

const bare = (text = "") => normalized(text).replace(/\s+/g, "");

/** Both texts; only the longer one if it contains the other. */
function joined(one: string, other: string): string {
  if (one.includes(other)) return one;
  return other.includes(one) ? other : one + other;
}

/** Equal for all posts that `isSamePhotoPost` may confuse: the characters of both texts, whatever their order. */
function likenessOf({ content, settings }: ExpectedPhotos): string {
  return [...joined(bare(settings.title), bare(content))].sort().join("");
}

type Post = OutgoingPost<TikTokSettings>;
/** Longer than a post may be processed, so one try reads the creator's options once. */
const FRESH_MS = 3_600_000;

/** Publishes one photo or several by one call: TikTok fetches and publishes them itself. */
export async function publishPhotos(post: Post, run: Run): Promise<Published> {
  const list = () => lookalikes(run, post);
  // A draft, too, becomes a public post under an ID that we never learn, once a person publishes it.
  const likeness = likenessOf(post);
  for (let attempt = 1; ; attempt++) {
    const part = attempt === 1 ? "photos" : `photos, time ${attempt}`;
    if (post.settings.sendToDrafts) assertMayDraft(run);
    else await assertCreator(post, run, part);
    const begun = await run.commit(
      `${part}, publish`,
      async () => ({ publishId: await initPhotos(run, modeOf(post), await bodyOf(post)) }),
      {
        find: async ({ identify }) => {
          if (!isListed(run, post)) throw new ReadBackImpossible("TikTok shows this post only to its creator");
          const found = await identify(await list());
          return found && { publishId: "", postId: found.id };
        },
        lookalikes: isListed(run, post) ? { likeness, list } : { likeness },
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

function modeOf({ settings }: Post): Parameters<typeof initPhotos>[1] {
  return settings.sendToDrafts ? "MEDIA_UPLOAD" : "DIRECT_POST";
}

async function bodyOf({ content, media, settings }: Post) {
  if (media.length === 0) throw new PlatformError("rejected", "A TikTok post needs a photo");
  const texts = { title: settings.title || undefined, description: content || undefined };
  return {
    post_info: settings.sendToDrafts
      ? texts
      : {
          ...texts,
          privacy_level: settings.privacyLevel,
          disable_comment: settings.disableComments,
          auto_add_music: settings.autoAddMusic,
          brand_content_toggle: settings.brandContent,
          brand_organic_toggle: settings.brandOrganic,
        },
    source_info: {
      source: "PULL_FROM_URL",
      photo_images: await Promise.all(media.map((photo) => photo.publicUrl())),
      photo_cover_index: settings.photoCoverIndex ?? 0,
    },
  };
}
