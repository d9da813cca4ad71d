import { PlatformError } from "../errors";
import type { OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import { permalinkOf } from "./api";
import { prepare, publishPrepared } from "./containers";
import type { InstagramSettings } from "./settings";

type Post = OutgoingPost<InstagramSettings>;

/** One image in the feed. */
export async function publishImage(post: Post, run: Run): Promise<Published> {
  const fields = async () => ({ image_url: await urlOf(post.media[0]), caption: captionOf(post), ...disclosure(post) });
  return linked(run, await publishPrepared(run, "image", fields, { edge: "media", caption: post.content }));
}

/** 2 to 10 images as one post: a container each, then one that holds them all. */
export async function publishCarousel(post: Post, run: Run): Promise<Published> {
  const children: string[] = [];
  for (const [index, media] of post.media.entries()) {
    const fields = async () => ({ image_url: await urlOf(media), is_carousel_item: "true" });
    children.push(await prepare(run, `item ${index + 1}`, fields));
  }
  const fields = async () => ({
    media_type: "CAROUSEL",
    children: children.join(","),
    caption: captionOf(post),
    ...disclosure(post),
  });
  return linked(run, await publishPrepared(run, "carousel", fields, { edge: "media", caption: post.content }));
}

/** Stories take one image each: several media are as many stories, and the first one stands for the post. */
export async function publishStories(post: Post, run: Run): Promise<Published> {
  const stories: Published[] = [];
  for (const [index, media] of post.media.entries()) {
    const fields = async () => ({ media_type: "STORIES", image_url: await urlOf(media), ...disclosure(post) });
    const known = stories.map(({ id }) => id);
    stories.push(await publishPrepared(run, `story ${index + 1}`, fields, { edge: "stories", known }));
  }
  const [first] = stories;
  if (!first) throw new PlatformError("rejected", "An Instagram story needs an image");
  return linked(run, first);
}

async function urlOf(media: OutgoingMedia | undefined): Promise<string> {
  if (!media) throw new PlatformError("rejected", "An Instagram post needs an image");
  return media.publicUrl();
}

function captionOf(post: Post): string | undefined {
  return post.content || undefined;
}

/** The "AI info" label, since 2026-06-22 (developers.facebook.com/documentation/instagram-platform/changelog). */
function disclosure(post: Post): { is_ai_generated?: string } {
  return post.settings.aiContent ? { is_ai_generated: "true" } : {};
}

/** Reads right after publishing fail at times although the post is live: without an answer it has no permalink. */
async function linked(run: Run, published: Published): Promise<Published> {
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
