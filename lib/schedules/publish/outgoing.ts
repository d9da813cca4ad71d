import {
  addressOf,
  asFilm,
  converted,
  convertedName,
  type FilmRecipe,
  type ImageRecipe,
  isVideo,
  type Media,
  mediaOf,
  openMedia,
  UnusableFile,
} from "../../media";
import {
  type ImageLimits,
  type Limits,
  type OutgoingMedia,
  type OutgoingPost,
  PlatformError,
  type Published,
  type VideoLimits,
} from "../../networks";
import { filmRecipeFor, type Taken } from "../check/animation";
import { sizeProblems } from "../check/file-limits";
import { asSent, recipeFor } from "../check/image-conversion";
import type { Post } from "../read";

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

/** The same with films in the place of what goes out as one (`filmRecipeFor`), without making them. */
export function withFilms(taken: Taken, attached: Attachments): Attachments {
  const media = attached.media.map((item) => {
    const recipe = filmRecipeFor(taken, attached.media, item);
    return recipe ? asFilm(item, recipe) : item;
  });
  return { ...attached, media };
}

/**
 * The same, made fit for the network where it would not take an image as it is (`recipeFor`), or not moving: converted once, and
 * found again at the next attempt.
 * @throws PlatformError where nothing that it takes can be made of one
 */
export async function madeFit(
  network: string,
  taken: Taken,
  { image, video, cover }: Limits,
  attached: Attachments,
): Promise<Attachments> {
  const media: Media[] = [];
  for (const item of attached.media) {
    const film = filmRecipeFor(taken, attached.media, item);
    const sent = await made(item, film ?? imageRecipeFor(image, item));
    if (film) assertSize(network, video ?? {}, sent); // before that, nobody knew
    media.push(sent);
  }
  return { media, cover: attached.cover && (await made(attached.cover, imageRecipeFor(cover, attached.cover))) };
}

function assertSize(network: string, limits: Pick<VideoLimits, "minBytes" | "maxBytes">, film: Media): void {
  const [problem] = sizeProblems(network, limits, film);
  if (problem) throw new PlatformError("rejected", `${film.filename}, made of an image that moves: ${problem.message}`);
}

function imageRecipeFor(limits: ImageLimits | undefined, item: Media): ImageRecipe | undefined {
  return limits && !isVideo(item) ? recipeFor(limits, item) : undefined;
}

async function made(item: Media, recipe: ImageRecipe | FilmRecipe | undefined): Promise<Media> {
  if (!recipe) return item;
  return converted(item, recipe).catch((error) => Promise.reject(refusalOf(item, error)));
}

/** The same as they will be, without making anything. */
export function wouldBeFit(taken: Taken, { image, cover }: Limits, attached: Attachments): Attachments {
  const media = withFilms(taken, attached).media.map((item) => asSent(image, item));
  return {
    media: attached.media.map((item, index) => named(item, media[index] ?? item)),
    cover: attached.cover && named(attached.cover, asSent(cover, attached.cover)),
  };
}

/** What is converted has another name. */
function named(item: Media, sent: Media): Media {
  return sent === item ? item : { ...sent, filename: convertedName(item.filename, sent.contentType) };
}

function refusalOf({ filename }: Media, error: unknown): unknown {
  if (!(error instanceof UnusableFile)) return error;
  return new PlatformError("rejected", `${filename} could not be made fit for the network: ${error.message}`);
}

/** A post as an adapter takes it. */
export function outgoing(
  post: Post,
  settings: unknown,
  { media, cover }: Attachments,
  after: Published | undefined,
): OutgoingPost<unknown> {
  const { content, chatId, attachmentPaths, thumbnailPath } = post;
  const thumbnail = cover && outgoingMedia(cover);
  const coverAt = thumbnailPath ? attachmentPaths.indexOf(thumbnailPath) : -1;
  return {
    content,
    media: media.map(outgoingMedia),
    settings,
    chatId: chatId ?? undefined,
    after,
    thumbnail,
    coverIndex: coverAt < 0 ? undefined : coverAt,
  };
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
    altText: item.altText ?? undefined,
    open: (range) => openMedia(item, range),
    publicUrl: async () => addressOf(item.id),
  };
}
