import { addressOf, converted, isVideo, type Media, mediaOf, openMedia, UnusableFile } from "../media";
import { type Limits, type OutgoingMedia, type OutgoingPost, PlatformError, type Published } from "../networks";
import { asSent, recipeFor } from "./fit";
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

/**
 * The same, made fit for the network where it would not take an image as it is (`recipeFor`): converted once, and found
 * again at the next attempt.
 * @throws PlatformError where nothing that it takes can be made of one
 */
export async function madeFit({ image }: Limits, media: Media[]): Promise<Media[]> {
  const fit: Media[] = [];
  for (const item of media) {
    const recipe = image && !isVideo(item) ? recipeFor(image, item) : undefined;
    fit.push(recipe ? await converted(item, recipe).catch((error) => Promise.reject(refusalOf(item, error))) : item);
  }
  return fit;
}

/** The same as they will be, without making anything. */
export function wouldBeFit({ image }: Limits, media: Media[]): Media[] {
  return media.map((item) => asSent(image, item));
}

function refusalOf({ filename }: Media, error: unknown): unknown {
  if (!(error instanceof UnusableFile)) return error;
  return new PlatformError("rejected", `${filename} could not be made fit for the network: ${error.message}`);
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
