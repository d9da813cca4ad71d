import { addressOf, isVideo, type Media, mediaOf, openMedia } from "../media";
import { type OutgoingMedia, type OutgoingPost, PlatformError, type Published } from "../networks";
import type { Post } from "./read";

/**
 * What a post is made of, in order.
 * @throws PlatformError where a file is gone
 */
export async function attachedMedia(ownerId: string, post: Post): Promise<Media[]> {
  if (post.attachmentPaths.length === 0) return [];
  const found = await mediaOf(ownerId, post.attachmentPaths);
  return post.attachmentPaths.map((key) => {
    const item = found.get(key);
    if (!item) throw new PlatformError("rejected", `The attachment ${key} is no longer in the media library`);
    return item;
  });
}

/** A post as an adapter takes it. */
export function outgoing(
  post: Post,
  settings: unknown,
  media: Media[],
  after: Published | undefined,
): OutgoingPost<unknown> {
  return { content: post.content, media: media.map(outgoingMedia), settings, chatId: post.chatId ?? undefined, after };
}

function outgoingMedia(item: Media): OutgoingMedia {
  return {
    kind: isVideo(item) ? "video" : "image",
    contentType: item.contentType,
    sizeBytes: item.sizeBytes,
    filename: item.filename,
    width: item.width ?? undefined,
    height: item.height ?? undefined,
    durationSeconds: item.durationSeconds ?? undefined,
    open: (range) => openMedia(item, range),
    publicUrl: async () => addressOf(item.id),
  };
}
