import { inArray } from "drizzle-orm";
import { storedDestinations } from "../accounts";
import { accounts, db, type ScheduleStatus } from "../db";
import { addressesUntil, isVideo, type Media, mediaOf } from "../media";
import { type MovingImage, networkOf, type ShownRequest } from "../networks";
import type { Platform } from "../platforms";
import { getSchedule, type Post, previewSchedule } from "../schedules";

/** An attachment; without an address where it is not there: still being fetched, or gone. */
export type ShownFile = {
  name: string;
  isVideo: boolean;
  /** Of an image that moves. */
  animation?: MovingImage;
  altText?: string;
  url?: string;
  thumbnailUrl?: string;
};
export type ShownPost = {
  id: number;
  content: string;
  chatId?: string;
  files: ShownFile[];
  /** What stands in the place of a video of it until that plays. */
  cover?: ShownFile;
  /** The paths of those that are not there, the cover's among them. */
  missing: string[];
  permalink?: string;
  /** Why it could not be published as it is. */
  problem?: string;
  requests: ShownRequest[];
};
export type ShownPublication = {
  id: number;
  platform: Platform;
  network: string;
  /** Its name in a list. */
  account: string;
  author: { username: string; displayName: string; avatarUrl?: string };
  settings: { type: string; [name: string]: unknown };
  /** The channels, Pages or boards that are known of the account. */
  destinations: { id: string; title: string; type: string }[];
  posts: ShownPost[];
};
/** A schedule as its networks will have it, drawn from the very data that will be sent. */
export type ShownSchedule = {
  id: number;
  status: ScheduleStatus;
  scheduledTime?: string;
  publications: ShownPublication[];
};

/**
 * @param endsAt when the addresses of its files end at the latest
 * @throws NotFound
 */
export async function showSchedule(ownerId: string, id: number, endsAt?: Date): Promise<ShownSchedule> {
  const [schedule, preview] = [await getSchedule(ownerId, id), await previewSchedule(ownerId, id)];
  const ids = schedule.publications.map(({ accountId }) => accountId);
  const on = ids.length === 0 ? [] : await db.select().from(accounts).where(inArray(accounts.id, ids));
  const destinations = await storedDestinations(ids);
  const parts = schedule.publications.flatMap(({ posts }) => posts);
  const media = await mediaOf(ownerId, parts.flatMap(pathsOf));
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

/** Each once: a cover may be one of the attachments. */
function pathsOf({ attachmentPaths, thumbnailPath }: Post): string[] {
  return [...new Set(thumbnailPath ? [...attachmentPaths, thumbnailPath] : attachmentPaths)];
}

function shownFile(path: string, file: Media | undefined, endsAt: Date | undefined): ShownFile {
  if (!file) return { name: "A file that is not there yet", isVideo: /\.(mp4|mov|webm|mkv)$/i.test(path) };
  const altText = file.altText ?? undefined;
  const { contentType, width, height, durationSeconds, details } = file;
  const { frames = 1, orientation } = details;
  const animation = frames > 1 ? { contentType, width, height, durationSeconds, frames, orientation } : undefined;
  return { name: file.filename, isVideo: isVideo(file), animation, altText, ...addressesUntil(file, endsAt) };
}
