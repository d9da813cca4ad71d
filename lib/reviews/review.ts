import { asc, eq, inArray } from "drizzle-orm";
import { storedDestinations } from "../accounts";
import { accounts, db, feedback, type ScheduleStatus } from "../db";
import { isVideoMedia, type Media, mediaByKeys, presentAddresses } from "../media";
import { type Animation, type DryRunRequest, networkOf } from "../networks";
import type { Platform } from "../platforms";
import { getSchedule, type Post, previewSchedule } from "../schedules";
import { type Feedback, feedbackColumns } from "./feedback";
import { findReviewLink } from "./links";
import { contentDigest } from "./schedule-row";

/** A schedule as a person with a review link sees it. */
export type Review = {
  shown: ReviewedSchedule;
  endsAt: Date;
  /** The digest of the content that is shown. */
  digest: Buffer;
  /** The feedback given through this link; other people's feedback is not shown. */
  said: Feedback[];
};

/**
 * Whether a link still works or has expired.
 * @throws NotFound
 */
export async function isReviewLinkOpen(token: string): Promise<boolean> {
  return !(await findReviewLink(token)).isExpired;
}

/**
 * What a link shows; undefined if it has expired.
 * @throws NotFound
 */
export async function openReview(token: string): Promise<Review | undefined> {
  const { id, scheduleId, ownerId, expiresAt: endsAt, isExpired } = await findReviewLink(token);
  if (isExpired) return undefined;
  // Read the digest first: if the schedule changes in between, feedback counts for the earlier version, never for an unseen one.
  const digest = contentDigest(await getSchedule(ownerId, scheduleId));
  const shown = await getReviewedSchedule(ownerId, scheduleId, endsAt);
  const said = await db.select(feedbackColumns).from(feedback).where(eq(feedback.linkId, id)).orderBy(asc(feedback.id));
  return { shown, endsAt, digest, said };
}

/** An attachment; without a URL while it is being imported or if it was deleted. */
export type ReviewFile = {
  name: string;
  isVideo: boolean;
  /** For animated images. */
  animation?: Animation;
  altText?: string;
  url?: string;
  thumbnailUrl?: string;
};
export type ReviewPost = {
  id: number;
  content: string;
  chatId?: string;
  files: ReviewFile[];
  /** The image shown until a video plays. */
  cover?: ReviewFile;
  /** The paths of missing files, including the cover. */
  missing: string[];
  permalink?: string;
  /** Why it could not be published as it is. */
  problem?: string;
  requests: DryRunRequest[];
};
export type ReviewPublication = {
  id: number;
  platform: Platform;
  network: string;
  /** The account's name in a list. */
  account: string;
  author: { username: string; displayName: string; avatarUrl?: string };
  settings: { type: string; [name: string]: unknown };
  /** The account's known channels, Pages or boards. */
  destinations: { id: string; title: string; type: string }[];
  posts: ReviewPost[];
};
/** A schedule as its networks will receive it, built from the data that will be sent. */
export type ReviewedSchedule = {
  id: number;
  status: ScheduleStatus;
  scheduledTime?: string;
  publications: ReviewPublication[];
};

/**
 * @param endsAt the latest expiry of the files' URLs
 * @throws NotFound
 */
export async function getReviewedSchedule(ownerId: string, id: number, endsAt?: Date): Promise<ReviewedSchedule> {
  const [schedule, preview] = [await getSchedule(ownerId, id), await previewSchedule(ownerId, id)];
  const ids = schedule.publications.map(({ accountId }) => accountId);
  const on = ids.length === 0 ? [] : await db.select().from(accounts).where(inArray(accounts.id, ids));
  const destinations = await storedDestinations(ids);
  const parts = schedule.publications.flatMap(({ posts }) => posts);
  const media = await mediaByKeys(ownerId, parts.flatMap(pathsOf));
  const sent = new Map(preview.publications.flatMap(({ posts }) => posts).map((post) => [post.id, post]));
  return {
    id,
    status: schedule.status,
    scheduledTime: schedule.scheduledTime ?? undefined,
    publications: schedule.publications.flatMap((publication) => {
      const account = on.find((one) => one.id === publication.accountId);
      if (!account) return [];
      const posts = publication.posts.map((post) => {
        const { requests = [], problem } = sent.get(post.id) ?? {};
        return { ...shownPost(post, media, endsAt), requests, problem };
      });
      const { platform, username, displayName, avatarUrl } = account;
      const author = { username, displayName, ...(avatarUrl ? { avatarUrl } : {}) };
      const named = { network: networkOf(platform).name, account: username || displayName, author };
      const { id: publicationId, settings } = publication;
      const known = destinations.get(account.id) ?? [];
      return [{ id: publicationId, platform, ...named, settings, destinations: known, posts }];
    }),
  };
}

function shownPost(post: Post, media: Map<string, Media>, endsAt: Date | undefined) {
  return {
    id: post.id,
    content: post.content,
    chatId: post.chatId ?? undefined,
    permalink: post.permalink ?? undefined,
    files: post.attachmentPaths.map((path) => shownFile(path, media.get(path), endsAt)),
    ...(post.thumbnailPath && { cover: shownFile(post.thumbnailPath, media.get(post.thumbnailPath), endsAt) }),
    missing: pathsOf(post).filter((path) => !media.has(path)),
  };
}

/** Without duplicates: the cover may be one of the attachments. */
function pathsOf({ attachmentPaths, thumbnailPath }: Post): string[] {
  return [...new Set(thumbnailPath ? [...attachmentPaths, thumbnailPath] : attachmentPaths)];
}

function shownFile(path: string, file: Media | undefined, endsAt: Date | undefined): ReviewFile {
  if (!file) return { name: "A file that is not available yet", isVideo: /\.(mp4|mov|webm|mkv)$/i.test(path) };
  const altText = file.altText ?? undefined;
  const { contentType, width, height, durationSeconds, details } = file;
  const { frames = 1, orientation } = details;
  const animation = frames > 1 ? { contentType, width, height, durationSeconds, frames, orientation } : undefined;
  return { name: file.filename, isVideo: isVideoMedia(file), animation, altText, ...presentAddresses(file, endsAt) };
}
