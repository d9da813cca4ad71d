import { addressOf, isVideo, type Media, mediaOf, openMedia } from "../media";
import { type OutgoingMedia, type OutgoingPost, PlatformError, type Published } from "../networks";
import type { Post } from "./read";

/** What a post is made of: its media in order, and its cover. */
export type Attachments = { media: Media[]; cover?: Media };

/** @throws PlatformError where a file is gone */
export async function attachmentsOf(ownerId: string, post: Post): Promise<Attachments> {
  const { attachmentPaths, thumbnailPath } = post;
  const found = await mediaOf(ownerId, [...attachmentPaths, ...(thumbnailPath ? [thumbnailPath] : [])]);
  const stored = (key: string): Media => {
    const item = found.get(key);
    if (!item) throw new PlatformError("rejected", `The attachment ${key} is no longer in the media library`);
    return item;
  };
  return { media: attachmentPaths.map(stored), cover: thumbnailPath ? stored(thumbnailPath) : undefined };
}

/** A post as an adapter takes it. */
export function outgoing(
  post: Post,
  settings: unknown,
  { media, cover }: Attachments,
  after: Published | undefined,
): OutgoingPost<unknown> {
  const { content, chatId } = post;
  const thumbnail = cover && outgoingMedia(cover);
  return { content, media: media.map(outgoingMedia), settings, chatId: chatId ?? undefined, after, thumbnail };
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
    frames: item.details.frames,
    open: (range) => openMedia(item, range),
    publicUrl: async () => addressOf(item.id),
  };
}
