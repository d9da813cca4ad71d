import { counted, openSession } from "../../accounts";
import { WorkerLost } from "../../jobs";
import { failPoint } from "../../jobs/fail-point";
import { log } from "../../log";
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
  formatsOf,
  type ImageLimits,
  type Limits,
  networkOf,
  type OutgoingMedia,
  type OutgoingPost,
  PlatformError,
  type Published,
  type VideoLimits,
} from "../../networks";
import { asSent, filmRecipeFor, recipeFor, type Taken } from "../check/conversion";
import { sizeProblems } from "../check/file-limits";
import { assertAltTexts } from "../check/limits";
import { formatNameOf } from "../check/publication";
import type { Post } from "../read";
import { type Claim, ClaimLost } from "./claim";
import { watched } from "./health";
import { assertInTime } from "./outcomes";
import { record } from "./record";
import { openRun } from "./run";
import { settleFailed, settlePublished } from "./settle";
import { wasSent } from "./steps";

/** A publication that was claimed so often without getting anywhere ends what claims it: it is set aside. */
const MOST_CLAIMS = 3;
/** An account that came with a claim this young needs not be read once more. */
const JUST_MS = 1_000;

/** Publishes what was claimed as far as it gets: to its end, to a wait, or to a reason why not. */
export async function publish(claim: Claim): Promise<void> {
  try {
    await failPoint("claimed");
    await publishPosts(claim);
  } catch (error) {
    // Somebody else has it now, or nobody: what we know is not worth recording. It is due again when the claim runs out.
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
      if (claim.claims > MOST_CLAIMS) return await setAside(claim, post);
      // What was sent is brought to its end however late it is; another call is not begun then (`run.ts`).
      if (!wasSent(claim, post)) assertInTime(claim);
      after = await publishPost(claim, post, after);
    } catch (error) {
      await record(claim, post, error);
      return;
    }
    await settlePublished(claim, post, after);
    await failPoint("settled");
    claim.isToldUnknown = false; // found after all, and what follows it goes on
  }
}

async function setAside(claim: Claim, post: Post): Promise<void> {
  log.error({ publication: claim.publicationId, claims: claim.claims }, "a publication gets nowhere and is set aside");
  const says =
    "Carillon began this three times and got nowhere each time, so it is set aside and not tried again by itself";
  await settleFailed(claim, post, { status: "FAILED", says });
}

async function publishPost(claim: Claim, post: Post, after: Published | undefined): Promise<Published> {
  const { account } = claim;
  const network = networkOf(account.platform);
  const isJustRead = performance.now() - claim.takenAt < JUST_MS;
  const session = await openSession(account, isJustRead ? claim : undefined);
  claim.accessToken = session.tokens.accessToken;
  await failPoint("opened");
  const counting = counted(watched(session, account.platform), network, String(post.id));
  const run = openRun(claim, post, counting, network.name);
  const { type: _, ...settings } = claim.settings;
  const attached = await attachmentsOf(claim.ownerId, post);
  const taken = formatsOf(network, settings);
  const films = withFilms(taken, attached);
  const format = taken[formatNameOf(films.media)];
  if (!format) throw new PlatformError("rejected", `${network.name} does not take this kind of post`);
  // What has begun goes out as it was begun.
  const hasBegun = claim.steps.some(({ postId }) => postId === post.id);
  if (!hasBegun) assertAltTexts(network.name, format.limits, { settings, ...films });
  const limits = network.limitsAt?.(session.tokens, format.limits) ?? format.limits;
  return format.publish(outgoing(post, settings, await madeFit(network.name, taken, limits, attached), after), run);
}

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
async function madeFit(
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
