import { PlatformError } from "../errors";
import type { OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import { container, LOCATIONS_SCOPE, permalinkOf } from "./api";
import { prepareItem, publishPrepared } from "./containers";
import { replyControls, type ThreadsSettings } from "./settings";

type Post = OutgoingPost<ThreadsSettings>;

/** Publishes a text; Threads creates the preview card for its first link. */
export async function publishText(post: Post, run: Run): Promise<Published> {
  await assertPublishable(post, run);
  const fields = async () => ({ media_type: "TEXT", ...postFields(post) });
  return withPermalink(run, await publishPrepared(run, "text", fields, expectedPost(post, "TEXT_POST")));
}

/** Publishes one image or video with its text. */
export async function publishMedia(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "A Threads post of this kind needs a file");
  await assertPublishable(post, run);
  const fields = async () => ({ ...(await mediaFields(media)), ...postFields(post) });
  const type = media.kind === "video" ? "VIDEO" : "IMAGE";
  return withPermalink(run, await publishPrepared(run, media.kind, fields, expectedPost(post, type)));
}

/** Publishes 2 to 20 images and videos as one post: a container for each, then one that contains them all. */
export async function publishCarousel(post: Post, run: Run): Promise<Published> {
  await assertPublishable(post, run);
  const fields = async () => ({ media_type: "CAROUSEL", children: await itemsOf(post, run), ...postFields(post) });
  return withPermalink(run, await publishPrepared(run, "carousel", fields, expectedPost(post, "CAROUSEL_ALBUM")));
}

async function itemsOf({ media }: Post, run: Run): Promise<string> {
  const items: string[] = [];
  for (const [index, item] of media.entries()) {
    const fields = async () => ({ ...(await mediaFields(item)), is_carousel_item: "true" });
    items.push(await prepareItem(run, `item ${index + 1}`, fields));
  }
  return items.join(",");
}

async function mediaFields(media: OutgoingMedia): Promise<{ [name: string]: string | undefined }> {
  const [url, alt_text] = [await media.publicUrl(), media.altText];
  if (media.kind === "video") return { media_type: "VIDEO", video_url: url, alt_text };
  return { media_type: "IMAGE", image_url: url, alt_text };
}

/** Fields of the post as a whole. Only the first post of a thread has the settings; a reply names the previous post. */
function postFields({ content, settings, after }: Post): { [name: string]: string | undefined } {
  const text = content || undefined;
  if (after) return { text, reply_to_id: after.id };
  const { topicTag, whoCanReply, quote, pollOptions: options = [], linkAttachment, locationId } = settings;
  return {
    text,
    topic_tag: topicTag || undefined,
    reply_control: whoCanReply && replyControls[whoCanReply],
    quote_post_id: quote,
    poll_attachment: options.length > 0 ? JSON.stringify(pollOf(options)) : undefined,
    link_attachment: linkAttachment,
    location_id: locationId,
  };
}

/** The options by their names: `option_a` to `option_d`. */
function pollOf(options: string[]): { [name: string]: string } {
  return Object.fromEntries(options.map((option, index) => [`option_${"abcd".charAt(index)}`, option.trim()]));
}

/**
 * Checks that the account may name a location, because Threads' refusal would disconnect it, and that the previous post has a
 * real ID. After a lost answer, a post that could not be identified keeps its container's
 * ID, to which Threads accepts no replies. Such a post has no permalink; only then the ID is checked.
 */
async function assertPublishable({ after, settings }: Post, run: Run): Promise<void> {
  if (!after && settings.locationId && run.tokens.scopes?.includes(LOCATIONS_SCOPE) === false) {
    const says = "This account has not granted Threads' permission for locations. Reconnect the account";
    throw new PlatformError("rejected", says);
  }
  if (!after || after.permalink) return;
  const isContainer = await run.step("parent", () =>
    container(run, after.id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof PlatformError && error.kind !== "reconnect") return false;
        throw error;
      },
    ),
  );
  if (!isContainer) return;
  const says = "Threads did not report the ID of the previous post, so this reply cannot be added to it";
  throw new PlatformError("rejected", says);
}

function expectedPost({ content, after }: Post, mediaType: string) {
  return { text: content, inReplyTo: after?.id, mediaType };
}

/** Adds the permalink. Reads right after publishing sometimes fail although the post is live; then it has no permalink. */
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
