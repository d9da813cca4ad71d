import { createHash } from "node:crypto";
import { z } from "zod";
import type { ListedComment } from "../comment";
import { PlatformError } from "../errors";
import type { AccountOptions, NetworkSession, OutgoingMedia, Profile, Run, SettingOption } from "../network";
import { readAnswer } from "../wire/json";
import { query } from "../wire/query";

const picture = z.object({ url: z.string() }).optional();
const channelSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({
    title: z.string(),
    customUrl: z.string().optional(),
    thumbnails: z.object({ high: picture, medium: picture, default: picture }).optional(),
  }),
  status: z.object({ longUploadsStatus: z.string().optional() }).optional(),
  contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string().optional() }).optional() }).optional(),
});
const channelsSchema = z.object({ items: z.array(channelSchema).default([]) });

type Channel = z.output<typeof channelSchema>;

/**
 * developers.google.com/youtube/data/reference/rest/v3/channels/list: the channel that the token is bound to (1 unit).
 * @throws PlatformError `rejected` if the Google account has no channel
 */
export async function myChannel(session: NetworkSession): Promise<Channel> {
  const parameters = query({ part: "id,snippet,status,contentDetails", mine: "true" });
  const response = await session.fetch(`/youtube/v3/channels?${parameters}`);
  const { items } = await readAnswer("YouTube", channelsSchema, response);
  const [channel] = items;
  if (channel) return channel;
  const says = "This Google account has no YouTube channel. Create one at youtube.com, then reconnect the account";
  throw new PlatformError("rejected", says, { answer: { status: response.status, code: "youtubeSignupRequired" } });
}

export async function me(session: NetworkSession): Promise<Profile> {
  const { id, snippet } = await myChannel(session);
  const { high, medium, default: small } = snippet.thumbnails ?? {};
  return {
    accountId: id,
    username: snippet.customUrl ?? snippet.title,
    displayName: snippet.title,
    avatarUrl: (high ?? medium ?? small)?.url,
  };
}

const videoSchema = z.object({
  id: z.string().min(1),
  status: z
    .object({
      uploadStatus: z.string().optional(),
      failureReason: z.string().optional(),
      rejectionReason: z.string().optional(),
      privacyStatus: z.string().optional(),
    })
    .optional(),
  processingDetails: z.object({ processingStatus: z.string().optional() }).optional(),
});
const videosSchema = z.object({ items: z.array(videoSchema).default([]) });

type Video = z.output<typeof videoSchema>;

/** …/videos/list: the current state of an own video (1 unit); undefined if it does not exist. */
export async function video(session: NetworkSession, id: string): Promise<Video | undefined> {
  const parameters = query({ part: "status,processingDetails", id });
  const response = await session.fetch(`/youtube/v3/videos?${parameters}`);
  return (await readAnswer("YouTube", videosSchema, response)).items[0];
}

const itemSchema = z.object({
  snippet: z.object({ title: z.string(), publishedAt: z.string() }),
  contentDetails: z.object({ videoId: z.string() }),
});
const itemsSchema = z.object({ items: z.array(itemSchema).default([]), nextPageToken: z.string().optional() });

export const UPLOADS_LISTED = 20;

/** …/playlistItems/list: the channel's newest uploads (1 unit). */
export async function newestUploads(session: NetworkSession, playlistId: string) {
  const parameters = query({ part: "snippet,contentDetails", playlistId, maxResults: String(UPLOADS_LISTED) });
  const response = await session.fetch(`/youtube/v3/playlistItems?${parameters}`);
  const { items, nextPageToken } = await readAnswer("YouTube", itemsSchema, response);
  const uploads = items.map(({ snippet, contentDetails }) => ({ ...snippet, id: contentDetails.videoId }));
  return { uploads, hasMore: nextPageToken !== undefined };
}

/**
 * developers.google.com/youtube/data/guides/using_resumable_upload_protocol: opens an upload session. Its address is secret and
 * identifies one video. Problems with the video's metadata are reported here, before any byte is sent.
 */
export async function openUpload(
  session: NetworkSession,
  body: object,
  media: OutgoingMedia,
  { notifySubscribers }: { notifySubscribers?: boolean } = {},
): Promise<string> {
  const asked = notifySubscribers === undefined ? {} : { notifySubscribers: String(notifySubscribers) };
  const parameters = query({ uploadType: "resumable", part: "snippet,status", ...asked });
  const response = await session.fetch(`/upload/youtube/v3/videos?${parameters}`, {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=UTF-8",
      "x-upload-content-length": String(media.sizeBytes),
      "x-upload-content-type": media.contentType,
    },
    body: JSON.stringify(body),
  });
  const location = response.headers.get("location");
  if (location) return location;
  throw new PlatformError("unknown", "YouTube did not open an upload", { answer: { status: response.status } });
}

/** State of a session: how much of the file it has, the finished video, or that it no longer exists. */
export type SessionProgress = { next: number } | { video: Video } | "gone";

/** Google documents 404 for a session that has expired. Servers also answer 410 (RFC 9110, section 15.5.11). */
const GONE = [404, 410];

/** Sends a range of the file; without a range, asks how much of the file the session has. */
export async function putRange(
  session: NetworkSession,
  uri: string,
  media: OutgoingMedia,
  range?: { first: number; last: number },
): Promise<SessionProgress> {
  const response = await session.fetch(uri, {
    method: "PUT",
    headers: {
      "content-type": media.contentType,
      "content-length": String(range ? range.last - range.first + 1 : 0),
      "content-range": `bytes ${range ? `${range.first}-${range.last}` : "*"}/${media.sizeBytes}`,
    },
    body: range ? await media.open(range) : undefined,
    timeoutSeconds: 300,
    accept: [308, ...GONE],
  });
  if (GONE.includes(response.status)) return "gone";
  if (response.status !== 308) return { video: await readAnswer("YouTube", videoSchema, response) };
  // Without a Range header, nothing is stored. It can also be less than what was sent.
  const stored = /^bytes=0-(\d+)$/.exec(response.headers.get("range") ?? "")?.[1];
  return { next: stored === undefined ? 0 : Number(stored) + 1 };
}

/** …/thumbnails/set (50 units). */
export async function setThumbnail(session: NetworkSession, videoId: string, image: OutgoingMedia): Promise<void> {
  const parameters = query({ videoId, uploadType: "media" });
  await session.fetch(`/upload/youtube/v3/thumbnails/set?${parameters}`, {
    method: "POST",
    headers: { "content-type": image.contentType, "content-length": String(image.sizeBytes) },
    body: await image.open(),
    timeoutSeconds: 120,
  });
}

const playlistsSchema = z.object({
  items: z.array(z.object({ id: z.string().min(1), snippet: z.object({ title: z.string() }) })).default([]),
  nextPageToken: z.string().optional(),
});
const PLAYLISTS_PER_PAGE = "50";
/** Enough for 500 playlists. */
const PLAYLIST_PAGES = 10;

/** …/playlists/list with `mine`: the channel's own playlists (1 unit for each page of 50). */
export async function listPlaylists(session: NetworkSession): Promise<SettingOption[]> {
  const listed: SettingOption[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < PLAYLIST_PAGES; page++) {
    const more = pageToken === undefined ? {} : { pageToken };
    const parameters = query({ part: "snippet", mine: "true", maxResults: PLAYLISTS_PER_PAGE, ...more });
    const answer = await session.fetch(`/youtube/v3/playlists?${parameters}`);
    const { items, nextPageToken } = await readAnswer("YouTube", playlistsSchema, answer);
    listed.push(...items.map(({ id, snippet }) => ({ id, title: snippet.title })));
    if (!nextPageToken) break;
    pageToken = nextPageToken;
  }
  return listed;
}

/** …/playlistItems/list with `videoId`: whether the playlist has the video (1 unit). */
export async function isInPlaylist(session: NetworkSession, playlistId: string, videoId: string): Promise<boolean> {
  const parameters = query({ part: "snippet,contentDetails", playlistId, videoId, maxResults: "1" });
  const response = await session.fetch(`/youtube/v3/playlistItems?${parameters}`);
  return (await readAnswer("YouTube", itemsSchema, response)).items.length > 0;
}

/** …/playlistItems/insert (50 units): adds the video, at the place that the playlist gives it. */
export async function addToPlaylist(session: NetworkSession, playlistId: string, videoId: string): Promise<void> {
  await session.fetch(`/youtube/v3/playlistItems?${query({ part: "snippet" })}`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: JSON.stringify({ snippet: { playlistId, resourceId: { kind: "youtube#video", videoId } } }),
  });
}

/** …/captions/insert (400 units): adds a track. A video has at most one track of the same language and name. */
export async function addCaptions(
  session: NetworkSession,
  videoId: string,
  { language, text }: { language: string; text: string },
): Promise<void> {
  const boundary = `carillon-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  const parts = [
    ["application/json; charset=UTF-8", JSON.stringify({ snippet: { videoId, language, name: "" } })],
    ["application/octet-stream", text],
  ];
  const body = parts.map(([type, content]) => `--${boundary}\r\ncontent-type: ${type}\r\n\r\n${content}\r\n`).join("");
  await session.fetch(`/upload/youtube/v3/captions?${query({ uploadType: "multipart", part: "snippet" })}`, {
    method: "POST",
    headers: { "content-type": `multipart/related; boundary=${boundary}` },
    body: `${body}--${boundary}--\r\n`,
    timeoutSeconds: 120,
  });
}

/** Longer videos require a channel whose owner is verified. */
const UNVERIFIED_SECONDS = 15 * 60;
export const LONGEST_SECONDS = 12 * 3600;

const longest = ({ status }: Channel) =>
  status?.longUploadsStatus === "allowed" ? LONGEST_SECONDS : UNVERIFIED_SECONDS;

export async function accountOptions(session: NetworkSession): Promise<AccountOptions> {
  const channel = await myChannel(session);
  return { displayName: channel.snippet.title, settings: {}, video: { maxSeconds: longest(channel) } };
}

/**
 * Checks the duration first, because YouTube accepts a video that is too long for its channel and rejects it afterwards.
 * @throws PlatformError `rejected`
 */
export async function assertDurationAllowed(run: Run, video: OutgoingMedia): Promise<void> {
  if ((video.durationSeconds ?? 0) <= UNVERIFIED_SECONDS) return;
  const most = await run.step("channel", async () => longest(await myChannel(run)));
  if ((video.durationSeconds ?? 0) <= most) return;
  const says = `This channel may upload at most ${most / 60} minutes until its owner is verified at youtube.com/verify`;
  throw new PlatformError("rejected", says);
}

const threadSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({
    topLevelComment: z.object({
      snippet: z.object({
        textOriginal: z.string().optional(),
        publishedAt: z.string(),
        authorChannelId: z.object({ value: z.string() }).optional(),
      }),
    }),
  }),
});
const threadsSchema = z.object({ items: z.array(threadSchema).default([]) });

/** …/commentThreads/insert: a comment on a video (50 units). Returns its ID. */
export async function createComment(session: NetworkSession, videoId: string, textOriginal: string): Promise<string> {
  const response = await session.fetch(`/youtube/v3/commentThreads?${query({ part: "snippet" })}`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: JSON.stringify({ snippet: { videoId, topLevelComment: { snippet: { textOriginal } } } }),
  });
  return (await readAnswer("YouTube", z.object({ id: z.string().min(1) }), response)).id;
}

/** …/commentThreads/list: the newest comments on a video (1 unit). Authors get their own text as they wrote it. */
export async function newestComments(session: NetworkSession, videoId: string): Promise<ListedComment[]> {
  const parameters = query({ part: "snippet", videoId, order: "time", maxResults: "100", textFormat: "plainText" });
  const response = await session.fetch(`/youtube/v3/commentThreads?${parameters}`);
  return (await readAnswer("YouTube", threadsSchema, response)).items.map(({ id, snippet }) => {
    const { textOriginal = "", publishedAt, authorChannelId } = snippet.topLevelComment.snippet;
    const isOwn = authorChannelId?.value === session.accountId;
    return { id, permalink: commentAddress(videoId, id), text: textOriginal, createdAt: new Date(publishedAt), isOwn };
  });
}

export const commentAddress = (videoId: string, id: string) =>
  `https://www.youtube.com/watch?${query({ v: videoId, lc: id })}`;
