import { PlatformError } from "../errors";
import type { OutgoingPost, Published, Run } from "../network";
import { createPost } from "./api";
import { findPost } from "./find";
import type { XSettings } from "./settings";
import { uploaded } from "./upload";

type Post = OutgoingPost<XSettings>;

/**
 * Publishes a text with up to four images, an animation or a video: first the uploads, then the one call that makes the post
 * public. If X no longer has the uploaded media, they are uploaded once more.
 */
export async function publishPost(post: Post, run: Run): Promise<Published> {
  try {
    return await publishAs("", post, run);
  } catch (error) {
    if (!isMediaUnknown(error) || post.media.length === 0) throw error;
    return publishAs(" anew", post, run);
  }
}

async function publishAs(round: "" | " anew", post: Post, run: Run): Promise<Published> {
  const mediaIds: string[] = [];
  for (const [index, media] of post.media.entries()) {
    mediaIds.push(await uploaded(run, media, `${media.kind} ${index + 1}${round}`));
  }
  const inReplyTo = post.after?.id;
  // Both rounds use one name: if either published the post, later attempts must see that.
  const id = await run.commit("post", () => createPost(run, { text: post.content, mediaIds, inReplyTo }), {
    find: (since) => findPost(run, { text: post.content, hasMedia: mediaIds.length > 0, inReplyTo }, since),
  });
  return { id, permalink: `https://x.com/${run.username}/status/${id}` };
}

/** The media expired or were lost by X: its answer names neither the media nor the reason. */
function isMediaUnknown(error: unknown): boolean {
  return error instanceof PlatformError && error.refused && /media IDs are invalid/i.test(error.answer?.message ?? "");
}
