import { inArray } from "drizzle-orm";
import { accounts, db } from "../db";
import { isVideo, type Media, mediaOf, presentMedia } from "../media";
import { networkOf, type ShownRequest } from "../networks";
import type { Platform } from "../platforms";
import { getSchedule, type Post, previewSchedule } from "../schedules";

export type ShownFile = { name: string; isVideo: boolean; url: string; thumbnailUrl?: string };
export type ShownPost = {
  id: number;
  content: string;
  chatId?: string;
  files: ShownFile[];
  /** Attachments that are not there: still being fetched, or gone. */
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
  account: string;
  posts: ShownPost[];
};
/** A schedule as its networks will have it, drawn from the very data that will be sent. */
export type ShownSchedule = { id: number; status: string; scheduledTime?: string; publications: ShownPublication[] };

/** @throws NotFound */
export async function showSchedule(ownerId: string, id: number): Promise<ShownSchedule> {
  const [schedule, preview] = [await getSchedule(ownerId, id), await previewSchedule(ownerId, id)];
  const ids = schedule.publications.map(({ accountId }) => accountId);
  const on = ids.length === 0 ? [] : await db.select().from(accounts).where(inArray(accounts.id, ids));
  const parts = schedule.publications.flatMap(({ posts }) => posts);
  const media = await mediaOf(
    ownerId,
    parts.flatMap(({ attachmentPaths }) => attachmentPaths),
  );
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
        return { ...shownPost(post, media), requests, problem };
      });
      const { platform, username, displayName } = account;
      return [
        { id: publication.id, platform, network: networkOf(platform).name, account: username || displayName, posts },
      ];
    }),
  };
}

function shownPost(post: Post, media: Map<string, Media>) {
  const files = post.attachmentPaths.map((key) => media.get(key));
  return {
    id: post.id,
    content: post.content,
    chatId: post.chatId ?? undefined,
    permalink: post.permalink ?? undefined,
    files: files.filter((file) => file !== undefined).map(shownFile),
    missing: post.attachmentPaths.filter((_, index) => files[index] === undefined),
  };
}

function shownFile(file: Media): ShownFile {
  const { filename, url, thumbnailUrl } = presentMedia(file);
  return { name: filename, isVideo: isVideo(file), url, thumbnailUrl };
}
