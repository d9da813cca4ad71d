import { openSession, resolveOperatorProblems, withQuotaCounting } from "../../accounts";
import { InsufficientStorage } from "../../errors";
import { WorkerLost } from "../../jobs";
import { failPoint } from "../../jobs/fail-point";
import { log } from "../../log";
import {
  asVideo,
  attemptAddress,
  convertedName,
  convertMedia,
  type FilmRecipe,
  type ImageRecipe,
  type Media,
  mediaByKeys,
  openMedia,
  type RewrapRecipe,
  UnusableFile,
} from "../../media";
import {
  fileKindOf,
  type ImageLimits,
  type Limits,
  networkFormats,
  networkOf,
  type OutgoingMedia,
  type OutgoingPost,
  PlatformError,
  type Published,
  type VideoLimits,
} from "../../networks";
import { storageErrorOf } from "../../storage";
import { traced } from "../../tracing";
import { asSent, conversionRecipe, type LimitsByFormat, videoRecipeFor } from "../check/conversion";
import { sizeProblems } from "../check/file-limits";
import { assertAltTexts } from "../check/limits";
import { formatNameOf } from "../check/publication";
import type { Post } from "../read";
import { type Claim, ClaimLost } from "./claim";
import { publishFirstComment } from "./comment";
import { withHealthTracking } from "./health";
import { assertInTime } from "./outcomes";
import { recordFailure } from "./record";
import { findRestored, PublishedBefore, RESTORED, restoredStep } from "./restored";
import { openRun } from "./run";
import { settleFailed, settlePublished } from "./settle";
import { wasSent } from "./steps";

/** A publication that was claimed more often without progress probably crashes its worker, so it is not tried again. */
const MAX_CLAIMS = 3;
/** An account that was read with a claim this recent does not need to be read again. */
const FRESH_ACCOUNT_MS = 1_000;

/** Publishes a claimed publication until it ends, has to wait or fails. The result is recorded in the database. */
export async function publish(claim: Claim): Promise<void> {
  const attributes = {
    "carillon.network": networkOf(claim.account.platform).name,
    "carillon.publication": claim.publicationId,
  };
  try {
    await traced("publish", { kind: "consumer", parent: claim.traceparent ?? undefined, attributes }, async () => {
      await failPoint("claimed");
      await (claim.comment ? publishFirstComment(claim, claim.comment) : publishPosts(claim));
    });
  } catch (error) {
    // This worker may no longer record anything. The publication is due again when its claim expires.
    if (error instanceof ClaimLost || error instanceof WorkerLost) return;
    throw error;
  }
}

async function publishPosts(claim: Claim): Promise<void> {
  let after: Published | undefined;
  for (const post of claim.posts) {
    if (post.status === "PUBLISHED") {
      after = { id: post.networkPostId ?? "", permalink: post.permalink ?? undefined };
      continue;
    }
    try {
      if (claim.claims > MAX_CLAIMS) return await stopRetrying(claim, post);
      // A post whose final call was sent is completed however late it is. `run.ts` prevents further final calls then.
      if (!wasSent(claim, post)) assertInTime(claim);
      after = await publishPost(claim, post, after);
    } catch (error) {
      if (!(error instanceof PublishedBefore)) return await recordFailure(claim, post, error);
      after = { id: "", note: error.message };
    }
    await settlePublished(claim, post, after);
    await failPoint("settled");
    claim.isOutcomeUnknown = false; // the post was found, so the posts after it may be sent
  }
  if (claim.attempts > 0) await resolveOperatorProblems(claim.account.platform, claim.publicationId);
}

async function stopRetrying(claim: Claim, post: Post): Promise<void> {
  log.error(
    { publication: claim.publicationId, claims: claim.claims },
    "a publication made no progress in three claims and is not tried again",
  );
  const message =
    "Carillon started publishing this three times without progress, so it will not try again automatically";
  await settleFailed(claim, post, { status: "FAILED", message });
}

async function publishPost(claim: Claim, post: Post, after: Published | undefined): Promise<Published> {
  const { account } = claim;
  const network = networkOf(account.platform);
  const isJustRead = performance.now() - claim.claimedAtMs < FRESH_ACCOUNT_MS;
  const session = await openSession(account, isJustRead ? claim : undefined);
  claim.accessToken = session.tokens.accessToken;
  await failPoint("opened");
  const counting = withQuotaCounting(withHealthTracking(session, account.platform), network, String(post.id));
  const run = openRun(claim, post, counting, network.name);
  const { type: _, ...settings } = claim.settings;
  const restored = restoredStep(claim, post);
  const attached = await loadAttachments(claim.ownerId, post);
  const taken = networkFormats(network, settings);
  const planned = withVideos(taken, attached);
  const format = taken[formatNameOf(planned.media)];
  if (!format) throw new PlatformError("rejected", `${network.name} does not take this kind of post`);
  // A post that was started is completed with the alt texts it started with.
  const hasBegun = claim.steps.some(({ postId, name }) => postId === post.id && name !== RESTORED);
  if (!hasBegun && !restored) assertAltTexts(network.name, format.limits, { settings, ...planned });
  if (restored) {
    const sent = outgoingPost(post, settings, previewAttachments(taken, format.limits, attached), after);
    return findRestored(claim, post, restored, { network, session: counting, sent, format });
  }
  const limits = network.limitsForAccount?.(session.tokens, format.limits) ?? format.limits;
  return format.publish(
    outgoingPost(post, settings, await convertAttachments(network.name, taken, limits, attached), after),
    run,
  );
}

/** A post's media in order, and its cover. */
export type Attachments = { media: Media[]; cover?: Media };

/** @throws PlatformError if a file was deleted or lost */
export async function loadAttachments(ownerId: string, post: Post): Promise<Attachments> {
  const { attachmentPaths, thumbnailPath } = post;
  const found = await mediaByKeys(ownerId, [...attachmentPaths, ...(thumbnailPath ? [thumbnailPath] : [])]);
  const stored = (key: string): Media => {
    const item = found.get(key);
    if (!item) throw new PlatformError("rejected", `The file ${key} is no longer in the library`);
    if (item.details.isLost) throw new PlatformError("rejected", `${item.filename} was lost. Upload it again`);
    return item;
  };
  return { media: attachmentPaths.map(stored), cover: thumbnailPath ? stored(thumbnailPath) : undefined };
}

/** Describes the videos that are made of the files (`videoRecipeFor`), without making them. */
export function withVideos(taken: LimitsByFormat, attached: Attachments): Attachments {
  const media = attached.media.map((item) => {
    const recipe = videoRecipeFor(taken, attached.media, item);
    return recipe ? asVideo(item, recipe) : item;
  });
  return { ...attached, media };
}

/**
 * Converts the files that the network does not accept as they are (`conversionRecipe`, `videoRecipeFor`). A converted file is
 * stored, so the next attempt uses it again.
 * @throws PlatformError if a file cannot be converted
 */
async function convertAttachments(
  network: string,
  taken: LimitsByFormat,
  { image, video, cover }: Limits,
  attached: Attachments,
): Promise<Attachments> {
  const media: Media[] = [];
  for (const item of attached.media) {
    const made = videoRecipeFor(taken, attached.media, item);
    const sent = await convertFile(item, made ?? imageRecipeFor(image, item));
    if (made) assertSize(network, video ?? {}, sent); // its size was unknown until now
    media.push(sent);
  }
  return { media, cover: attached.cover && (await convertFile(attached.cover, imageRecipeFor(cover, attached.cover))) };
}

function assertSize(network: string, limits: Pick<VideoLimits, "minBytes" | "maxBytes">, made: Media): void {
  const [problem] = sizeProblems(network, limits, made);
  if (problem)
    throw new PlatformError("rejected", `${made.filename}, as converted for the network: ${problem.message}`);
}

function imageRecipeFor(limits: ImageLimits | undefined, item: Media): ImageRecipe | undefined {
  return limits && fileKindOf(item.contentType) === "image" ? conversionRecipe(limits, item) : undefined;
}

async function convertFile(item: Media, recipe: ImageRecipe | FilmRecipe | RewrapRecipe | undefined): Promise<Media> {
  if (!recipe) return item;
  return convertMedia(item, recipe).catch((error) => Promise.reject(conversionError(item, error)));
}

/** Describes the attachments as they would be sent, without converting anything. */
export function previewAttachments(
  taken: LimitsByFormat,
  { image, cover }: Limits,
  attached: Attachments,
): Attachments {
  const media = withVideos(taken, attached).media.map((item) => asSent(image, item));
  return {
    media: attached.media.map((item, index) => withConvertedName(item, media[index] ?? item)),
    cover: attached.cover && withConvertedName(attached.cover, asSent(cover, attached.cover)),
  };
}

/** A converted file has another name. */
function withConvertedName(item: Media, sent: Media): Media {
  return sent === item ? item : { ...sent, filename: convertedName(item.filename, sent.contentType) };
}

function conversionError({ filename }: Media, error: unknown): unknown {
  if (storageErrorOf(error) instanceof InsufficientStorage) {
    const message = `${filename} could not be converted because the disk of the service is full`;
    return new PlatformError("later", message);
  }
  if (!(error instanceof UnusableFile)) return error;
  return new PlatformError("rejected", `${filename} could not be converted for the network: ${error.message}`);
}

/** Returns a post in the form that the network adapters take. */
export function outgoingPost(
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
    kind: fileKindOf(item.contentType),
    contentType: item.contentType,
    sizeBytes: item.sizeBytes,
    filename: item.filename,
    width: item.width ?? undefined,
    height: item.height ?? undefined,
    durationSeconds: item.durationSeconds ?? undefined,
    frames: item.details.frames,
    pages: item.details.pages,
    altText: item.altText ?? undefined,
    open: (range) => openMedia(item, range),
    publicUrl: async () => attemptAddress(item.id),
  };
}
