import { commentRecovery } from "../comment";
import { PlatformError } from "../errors";
import type { OutgoingComment, OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import { container, createComment, newestComments, permalinkOf, publishingLimit } from "./api";
import { prepareItem, publishPrepared } from "./containers";
import { type InstagramSettings, userTagsOf } from "./settings";

const LIMIT_REACHED = "This account has reached Instagram's publishing limit for 24 hours";

/**
 * Checks before anything is prepared that this many posts fit into the publishing limit of the last 24 hours. Meta documents
 * both 50 and 100, so the limit is read. If it cannot be read, the publishing call decides.
 */
async function assertQuota(run: Run, posts = 1): Promise<void> {
  await run.step("quota", async () => {
    const limit = await publishingLimit(run).catch((error: unknown) => {
      if (error instanceof PlatformError) return undefined;
      throw error;
    });
    if (limit && limit.used + posts > limit.total)
      throw new PlatformError("later", LIMIT_REACHED, { throttled: true, retryAfterSeconds: 3600 });
    return true;
  });
}

type Post = OutgoingPost<InstagramSettings>;

/** Publishes one image in the feed. */
export async function publishImage(post: Post, run: Run): Promise<Published> {
  await assertQuota(run);
  const fields = async () => ({
    image_url: await urlOf(post.media[0]),
    alt_text: post.media[0]?.altText,
    user_tags: userTags(post, 0),
    ...shared(post),
  });
  return withPermalink(run, await publishPrepared(run, "image", fields, { kind: "FEED", caption: post.content }));
}

/**
 * Publishes one video. Since 2023-11-09 Instagram publishes every video as a reel, whether meant for the feed or for reels.
 * With `share_to_feed` it also appears in the account's own grid.
 */
export async function publishReel(post: Post, run: Run): Promise<Published> {
  await assertQuota(run);
  const fields = async () => ({
    media_type: "REELS",
    video_url: await urlOf(post.media[0]),
    share_to_feed: "true",
    cover_url: await post.thumbnail?.publicUrl(),
    thumb_offset: post.thumbnail ? undefined : post.settings.videoCoverTimestampMs?.toString(),
    user_tags: userTags(post, 0),
    ...shared(post),
  });
  return withPermalink(run, await publishPrepared(run, "reel", fields, { kind: "REELS", caption: post.content }));
}

/** Publishes 2 to 10 images and videos as one post: a container for each, then one that contains them all. */
export async function publishCarousel(post: Post, run: Run): Promise<Published> {
  await assertQuota(run);
  const fields = async () => ({
    media_type: "CAROUSEL",
    children: await itemsOf(post, run),
    ...shared(post),
  });
  return withPermalink(run, await publishPrepared(run, "carousel", fields, { kind: "FEED", caption: post.content }));
}

async function itemsOf(post: Post, run: Run): Promise<string> {
  const items: string[] = [];
  for (const [index, item] of post.media.entries()) {
    const type = item.kind === "video" ? { media_type: "VIDEO" } : { alt_text: item.altText };
    const more = { ...type, user_tags: userTags(post, index) };
    const fields = async () => ({ ...more, ...(await sourceOf(item)), is_carousel_item: "true" });
    items.push(await prepareItem(run, `item ${index + 1}`, fields));
  }
  return items.join(",");
}

/** A story holds one image or video, so several media become several stories; the first one represents the post. */
export async function publishStories(post: Post, run: Run): Promise<Published> {
  await assertQuota(run, post.media.length);
  const stories: Published[] = [];
  for (const [index, media] of post.media.entries()) {
    const fields = async () => ({
      media_type: "STORIES",
      ...(await sourceOf(media)),
      user_tags: userTags(post, index),
      ...disclosure(post),
    });
    const known = stories.map(({ id }) => id);
    stories.push(await publishPrepared(run, `story ${index + 1}`, fields, { kind: "STORY", known }));
  }
  const [first] = stories;
  if (!first) throw new PlatformError("rejected", "An Instagram story needs an image or a video");
  return withPermalink(run, first);
}

async function sourceOf(media: OutgoingMedia): Promise<{ image_url?: string; video_url?: string }> {
  return media.kind === "video" ? { video_url: await media.publicUrl() } : { image_url: await media.publicUrl() };
}

async function urlOf(media: OutgoingMedia | undefined): Promise<string> {
  if (!media) throw new PlatformError("rejected", "An Instagram post needs an image or a video");
  return media.publicUrl();
}

/**
 * What images, reels and carousels take, but stories and the items of a carousel do not. Production clients send the names of
 * collaborators as a JSON list.
 */
function shared(post: Post): { [name: string]: string | undefined } {
  const { collaborators = [], locationId } = post.settings;
  return {
    caption: post.content || undefined,
    collaborators: collaborators.length > 0 ? JSON.stringify(collaborators) : undefined,
    location_id: locationId,
    ...disclosure(post),
  };
}

/**
 * The people who are tagged in an attachment. Only images have positions. Images in the feed must have them, so tags without one
 * are spread across the middle of the image.
 */
function userTags({ media, settings }: Post, attachment: number): string | undefined {
  const tags = userTagsOf(settings).filter((tag) => (tag.attachment ?? 0) === attachment);
  if (tags.length === 0) return undefined;
  if (media[attachment]?.kind === "video") return JSON.stringify(tags.map(({ username }) => ({ username })));
  const isStory = settings.publicationType === "STORY";
  return JSON.stringify(
    tags.map(({ username, x, y }, index) => {
      if (x !== undefined && y !== undefined) return { username, x, y };
      return isStory ? { username } : { username, x: (index + 1) / (tags.length + 1), y: 0.5 };
    }),
  );
}

/** The "AI info" label, available since 2026-06-22 (developers.facebook.com/documentation/instagram-platform/changelog). */
function disclosure(post: Post): { is_ai_generated?: string } {
  return post.settings.aiContent ? { is_ai_generated: "true" } : {};
}

/** Adds the permalink. Reads right after publishing sometimes fails although the post is live; then it has no permalink. */
async function withPermalink(run: Run, published: Published): Promise<Published> {
  if (published.permalink) return published;
  const permalink = await run.step("permalink", async () => {
    try {
      return (await permalinkOf(run, published.id)) ?? null;
    } catch {
      return null;
    }
  });
  return permalink ? { ...published, permalink } : published;
}

/** Comments on an own post. Instagram reports no address of a comment. */
export async function publishComment(comment: OutgoingComment<unknown>, run: Run): Promise<Published> {
  const { text, on } = comment;
  await assertIdentified(on, run);
  const work = async (): Promise<Published> => ({ id: await createComment(run, on.id, text) });
  return run.commit(
    "comment",
    work,
    commentRecovery(comment, () => newestComments(run, on.id)),
  );
}

/**
 * After a lost answer, a post that could not be identified keeps its container's ID, on which Instagram takes no comments. Such a
 * post has no permalink; only then the ID is checked.
 */
async function assertIdentified({ id, permalink }: Published, run: Run): Promise<void> {
  if (permalink) return;
  const isContainer = await container(run, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PlatformError && error.kind !== "reconnect") return false;
      throw error;
    },
  );
  if (!isContainer) return;
  throw new PlatformError("rejected", "Instagram did not report the post's ID, so the comment cannot be added to it");
}
