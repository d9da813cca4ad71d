import { parseUrl } from "../../env/parse-url";
import { PlatformError, ReadBackImpossible } from "../errors";
import { MB } from "../limits";
import type { Lookup, NetworkSession, OutgoingComment, OutgoingPost, Published, Run } from "../network";
import { firstLink, pageFacts } from "../wire/web-page";
import {
  type Article,
  authorOf,
  type Content,
  createComment,
  createPost,
  type LinkedInPost,
  type Uploaded,
} from "./api";
import { limits } from "./limits";
import { DOCUMENT_TITLE_MAX, type LinkedInSettings } from "./settings";
import { awaitFiles, isProcessingFailed, prepareVideo, uploadDocument, uploadImage } from "./uploads";

const RESERVED = /[|{}@[\]()<>#\\*_~]/g;
/** A word after a number sign that does not continue another word; digits alone are a number. */
const HASHTAG = /(?<![\p{L}\p{N}\p{M}_&/#])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+/u;
const MENTION = /@\[[^[\]]+\]\(urn:li:(?:person|organization):[\w-]+\)/;
const ELEMENTS = new RegExp(`(${MENTION.source}|${HASHTAG.source})`, "u");

/**
 * Encodes a text in LinkedIn's "little" format: keeps hashtags and mentions (`@[Name](urn:li:organization:1)`) and escapes all
 * other reserved characters. An unescaped one causes no error: LinkedIn silently drops the text from there on.
 * learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format
 */
export function littleText(text: string): string {
  return text
    .split(ELEMENTS)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : element(part)))
    .join("");
}

function element(part: string): string {
  if (part.startsWith("#")) return `#${escaped(part.slice(1))}`;
  const name = part.slice(2, part.indexOf("]"));
  return `@[${escaped(name)}]${part.slice(part.indexOf("]") + 1)}`;
}

const escaped = (text: string) => text.replace(RESERVED, "\\$&");

/** LinkedIn recognizes a repeated post for ten minutes; one minute is a margin for clocks and slow answers. */
const RECOGNISED_MS = 9 * 60_000;
const POST_URN = /urn:li:(?:share|ugcPost|activity):\d+/;

/**
 * Finds a post whose answer was lost. LinkedIn grants no permission to read a member's posts, but it refuses a repeated post
 * and names the first one, so sending it again is the only way to look it up (DECISIONS, "Schedules").
 * @throws ReadBackImpossible if LinkedIn names another post, or may no longer recognize this one, so that a repeat could
 * publish it twice
 */
async function findPost(session: NetworkSession, post: LinkedInPost, { since, identify }: Lookup): Promise<string> {
  if (Date.now() - since.getTime() > RECOGNISED_MS)
    throw new ReadBackImpossible("LinkedIn no longer lets us look up this post");
  try {
    return await createPost(session, post);
  } catch (error) {
    const urn = firstPost(error);
    if (!urn) throw error;
    const found = await identify([{ id: urn, createdAt: creationTime(urn, session.statedTime()) }]);
    if (found) return found.id;
    throw new ReadBackImpossible("LinkedIn took this for a repetition of another post with the same content");
  }
}

const MS_PER_DAY = 86_400_000;
/** Earlier than any post whose number contains its time. */
const FIRST_NUMBER_MS = Date.UTC(2012, 0);

/**
 * Returns when a post was created: the upper bits of its number are milliseconds since 1970. LinkedIn does not document this,
 * so a time that cannot be right is ignored: one before there were such numbers, or in the future.
 * @param now LinkedIn's time
 */
function creationTime(urn: string, now = new Date()): Date | undefined {
  const ms = Number(BigInt(urn.slice(urn.lastIndexOf(":") + 1)) >> 22n);
  return ms > FIRST_NUMBER_MS && ms < now.getTime() + MS_PER_DAY ? new Date(ms) : undefined;
}

/** Reads the first post's URN from the error for a duplicate. */
function firstPost(error: unknown): string | undefined {
  if (!(error instanceof PlatformError) || !error.duplicate) return undefined;
  return POST_URN.exec(error.answer?.message ?? "")?.[0];
}

type Post = OutgoingPost<LinkedInSettings>;

/** A file that LinkedIn failed to process is uploaded once more. */
const UPLOADS = 2;

/** Publishes a text, with a card for its first link. */
export async function publishText(post: Post, run: Run): Promise<Published> {
  return publish(post, run, (upload) => articleOf(post, run, upload));
}

/** Publishes one image, or several as one post. */
export async function publishImages(post: Post, run: Run): Promise<Published> {
  return publish(post, run, async (upload) => {
    // Recorded, because after a lost answer exactly the same post must be sent again.
    const altTexts = await run.step("alt texts", async () => post.media.map(({ altText }) => altText ?? null));
    const images: Uploaded[] = [];
    for (const [index, media] of post.media.entries()) {
      const id = await run.step(`image ${index + 1}, upload ${upload}`, () =>
        uploadImage(run, media, authorOf(run, post.chatId)),
      );
      images.push({ id, altText: altTexts[index] ?? undefined });
    }
    await awaitFiles(
      run,
      "images",
      `images, upload ${upload}`,
      images.map(({ id }) => id),
    );
    const [only, ...others] = images;
    return only && others.length === 0 ? { media: only } : { multiImage: { images } };
  });
}

export async function publishVideo(post: Post, run: Run): Promise<Published> {
  const [video] = post.media;
  if (!video) throw new PlatformError("rejected", "This LinkedIn post needs a video");
  return publish(post, run, async (upload) => ({
    media: {
      id: await prepareVideo(
        { media: video, thumbnail: post.thumbnail, owner: authorOf(run, post.chatId) },
        run,
        upload,
      ),
    },
  }));
}

/** Publishes a PDF, whose pages LinkedIn shows as a carousel. */
export async function publishDocument(post: Post, run: Run): Promise<Published> {
  const [media] = post.media;
  if (!media) throw new PlatformError("rejected", "This LinkedIn post needs a document");
  const title = post.settings.documentTitle ?? truncate(media.filename.replace(/\.pdf$/i, ""), DOCUMENT_TITLE_MAX);
  return publish(post, run, async (upload) => {
    const name = `document, upload ${upload}`;
    const id = await run.step(name, () => uploadDocument(run, media, authorOf(run, post.chatId)));
    await awaitFiles(run, "documents", name, [id]);
    return { media: { id, title } };
  });
}

type ContentOf = (upload: number) => Promise<Content | undefined>;

async function publish(post: Post, run: Run, contentOf: ContentOf): Promise<Published> {
  const { visibility } = post.settings;
  if (visibility === "GROUP") throw new PlatformError("rejected", "LinkedIn's API no longer posts to groups");
  for (let upload = 1; ; upload++) {
    const failedUpload = `upload ${upload} spoiled`;
    if (run.isDone(failedUpload)) continue; // a post that was refused with this upload is never sent again
    try {
      const author = authorOf(run, post.chatId);
      const sent = { author, commentary: littleText(post.content), visibility, content: await contentOf(upload) };
      const recovery = {
        find: (lookup: Lookup) => findPost(run, sent, lookup),
        // LinkedIn does not say what else it compares. Fewer details can only make a lookup more careful.
        lookalikes: { likeness: sent.commentary },
      };
      const id = await run.commit(`post, upload ${upload}`, () => createPost(run, sent), recovery);
      return id ? { id, permalink: `https://www.linkedin.com/feed/update/${id}/` } : { id };
    } catch (error) {
      if (post.chatId && isPageRefused(error)) throw pageAccessLost(error);
      if (isFileRefused(error)) await countFileRefusal(run, error);
      if (!isProcessingFailed(error) || upload === UPLOADS) throw error;
      await run.step(failedUpload, async () => true);
    }
  }
}

/**
 * The app has the permission for pages, or the page could not have been chosen. So LinkedIn refuses this member, who lost the
 * role or did not grant the permission.
 */
function isPageRefused(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.kind === "operator" && error.answer?.status === 403;
}

function pageAccessLost({ answer }: PlatformError): PlatformError {
  const says =
    "This account may no longer post to this LinkedIn page. Ask an admin of the page for access, reconnect the account, or choose another page";
  return new PlatformError("rejected", says, { answer });
}

/** How often LinkedIn may refuse a file that it has just accepted. With the pauses between attempts, about four minutes. */
const FILE_REFUSALS = 5;

function isFileRefused(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    /accessing this (video|image|document) resource/i.test(error.answer?.message ?? "")
  );
}

/** @throws PlatformError `rejected` if LinkedIn has refused the file too often */
async function countFileRefusal(run: Run, { answer }: PlatformError): Promise<void> {
  for (let n = 1; n < FILE_REFUSALS; n++) {
    const name = `file refused, time ${n}`;
    if (run.isDone(name)) continue;
    await run.step(name, async () => true);
    return;
  }
  throw new PlatformError("rejected", "LinkedIn says that the file belongs to another account", { answer });
}

const MAX_PAGE_BYTES = 4 * MB;
const MAX_PICTURE_BYTES = 8 * MB;
/** …/shares/post-api-schema */
const MAX_TITLE = 400;
const MAX_DESCRIPTION = 4086;

/**
 * Builds a preview card for the first link of a text, because LinkedIn creates none for API posts. Pages that cannot be read
 * or have no title get no card. `upload` counts from 1: the second try omits the image, which may have made the first fail.
 */
async function articleOf(post: Post, run: Run, upload: number): Promise<{ article: Article } | undefined> {
  const source = firstLink(post.content);
  if (!source) return undefined;
  const owner = authorOf(run, post.chatId);
  const article = await run.step(
    `card, upload ${upload}`,
    async () => (await read(run, source, upload === 1 ? owner : undefined)) ?? null,
  );
  if (article?.thumbnail) await awaitFiles(run, "images", `card, upload ${upload}, image`, [article.thumbnail]);
  return article ? { article } : undefined;
}

/** @param owner of the picture; absent: without a picture */
async function read(session: NetworkSession, source: string, owner: string | undefined): Promise<Article | undefined> {
  const page = await session.app.fetchWebFile(source, MAX_PAGE_BYTES);
  const { title, description, image } = page ? pageFacts(page) : {};
  if (!title) return undefined;
  const picture = image && parseUrl(image, source)?.href;
  return {
    source,
    title: truncate(title, MAX_TITLE),
    description: description && truncate(description, MAX_DESCRIPTION),
    thumbnail: owner && picture && (await thumbnailOf(session, picture, owner)),
  };
}

/** Uploads the page's image to LinkedIn; a card also works without one. */
async function thumbnailOf(session: NetworkSession, address: string, owner: string): Promise<string | undefined> {
  const file = await session.app.fetchWebFile(address, MAX_PICTURE_BYTES);
  // Loaded with the first picture, because the library takes memory in every process.
  const { fileTypeFromBuffer } = await import("file-type");
  const type = file && (await fileTypeFromBuffer(file.bytes))?.mime;
  if (!file || !type || !limits.image.image.types.includes(type)) return undefined;
  const bytes = new Uint8Array(file.bytes);
  const picture = { sizeBytes: bytes.length, open: async () => new Blob([bytes]).stream() };
  return uploadImage(session, picture, owner).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind === "rejected") return undefined;
    throw error;
  });
}

const truncate = (text: string, characters: number) => [...text].slice(0, characters).join("");

/** Comments on a post as its author. LinkedIn lets members write comments but not read them, so a lost one is not looked up. */
export async function publishComment({ text, on, chatId }: OutgoingComment<unknown>, run: Run): Promise<Published> {
  const comment = { post: on.id, text, page: chatId };
  return { id: await run.commit("comment", () => createComment(run, comment).catch(refuseComment)) };
}

/** The app's products allow posts, so the refusal concerns comments alone, and the operator cannot do anything about it. */
function refuseComment(error: unknown): never {
  if (!(error instanceof PlatformError) || error.answer?.status !== 403) throw error;
  const { answer } = error;
  throw new PlatformError("rejected", "LinkedIn does not let this service comment on this post", { answer });
}
