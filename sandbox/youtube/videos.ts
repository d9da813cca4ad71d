import * as z from "zod";
import { type Call, hasFault } from "../core/network";
import { avatarPath } from "../core/users";
import { errors, partsOf, pickParts, sessionOf, YouTubeError } from "./request";
import type { Upload } from "./state";
import { channelId, type Playlist, uploadsPlaylist, type Video, type YouTubeState } from "./state";

/** The time that processing takes. */
export const PROCESSING_MS = 1000;
/** The last two can be written, but are not kept. Source: videos.insert, part. */
export const VIDEO_PARTS = [
  "id",
  "snippet",
  "status",
  "processingDetails",
  "contentDetails",
  "localizations",
  "recordingDetails",
];

/** `GET /youtube/v3/videos?id=`. Only the owner gets `processingDetails`. */
export function listVideos(state: YouTubeState, call: Call): Response {
  const { account } = sessionOf(state, call, ["youtube.readonly"], 1);
  const parts = partsOf(call, VIDEO_PARTS);
  const ids = (call.req.queries("id") ?? []).flatMap((id) => id.split(","));
  const items = ids.flatMap((id) => {
    const video = state.videos.get(id);
    if (!video || (video.account !== account && video.privacy === "private")) return [];
    const isOwn = video.account === account;
    const updated = hasFault(call, "processing_fails") && isOwn ? failProcessing(state, video) : video;
    const shown = isOwn ? parts : parts.filter((part) => part !== "processingDetails");
    return [pickParts(presentVideo(updated, state.world.clock.now()), shown)];
  });
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return call.json({ kind: "youtube#videoListResponse", etag: "e", items, pageInfo });
}

/** Fails the processing of a video and removes its post. */
function failProcessing(state: YouTubeState, video: Video): Video {
  state.world.posts.remove("youtube", video.id);
  return state.videos.put(video.id, { ...video, failureReason: "conversion" });
}

const ITEM_PARTS = ["id", "snippet", "contentDetails", "status"];

/** `GET /youtube/v3/playlistItems?playlistId=`: the user's own uploads, newest first, or the videos of a playlist in its order. */
export function listPlaylistItems(state: YouTubeState, call: Call): Response {
  const { account } = sessionOf(state, call, ["youtube.readonly"], 1);
  const parts = partsOf(call, ITEM_PARTS);
  const { playlistId = "", videoId } = call.req.query();
  const most = Math.min(Number(call.req.query("maxResults") ?? 5) || 5, 50);
  const listed = videosIn(state, account, playlistId).filter(({ id }) => videoId === undefined || id === videoId);
  const own = listed.slice(0, most);
  const items = own.map((video) => {
    const publishedAt = new Date(video.uploadedAt).toISOString();
    const resourceId = { kind: "youtube#video", videoId: video.id };
    const { title, description } = video;
    const item = {
      kind: "youtube#playlistItem",
      etag: "e",
      id: `item-${video.id}`,
      snippet: { publishedAt, channelId: channelId(account), title, description, resourceId },
      contentDetails: { videoId: video.id, videoPublishedAt: publishedAt },
      status: { privacyStatus: video.privacy },
    };
    return pickParts(item, parts);
  });
  const pageInfo = { totalResults: own.length, resultsPerPage: most };
  return call.json({ kind: "youtube#playlistItemListResponse", etag: "e", items, pageInfo });
}

const PLAYLIST_PARTS = ["id", "snippet", "status", "contentDetails"];

/**
 * `GET /youtube/v3/playlists?mine=true`: the user's own playlists, in pages of `maxResults` (5 by default, 50 at most). One of
 * `mine`, `id` and `channelId` is required; this server knows `mine`.
 */
export function listPlaylists(state: YouTubeState, call: Call): Response {
  const { account } = sessionOf(state, call, ["youtube.readonly"], 1);
  const parts = partsOf(call, PLAYLIST_PARTS);
  if (call.req.query("mine") !== "true")
    throw errors.badRequest("No filter selected. Expected one of: mine, id, channelId");
  const resultsPerPage = Math.min(Number(call.req.query("maxResults") ?? 5) || 5, 50);
  const first = Number(call.req.query("pageToken") ?? 0);
  const own = state.playlists.values().filter((playlist) => playlist.account === account);
  const items = own.slice(first, first + resultsPerPage).map(({ id, title, videoIds }) => {
    const snippet = { channelId: channelId(account), title, description: "" };
    const status = { privacyStatus: "public" };
    const item = {
      kind: "youtube#playlist",
      etag: "e",
      id,
      snippet,
      status,
      contentDetails: { itemCount: videoIds.length },
    };
    return pickParts(item, parts);
  });
  const next = first + resultsPerPage;
  return call.json({
    ...{ kind: "youtube#playlistListResponse", etag: "e", items },
    ...(next < own.length ? { nextPageToken: String(next) } : {}),
    pageInfo: { totalResults: own.length, resultsPerPage },
  });
}

function videosIn(state: YouTubeState, account: string, playlistId: string): Video[] {
  if (playlistId === uploadsPlaylist(account)) return state.videosOf(account).reverse();
  return playlistOf(state, account, playlistId).videoIds.flatMap((id) => state.videos.get(id) ?? []);
}

function playlistOf(state: YouTubeState, account: string, id: string): Playlist {
  const playlist = state.playlists.get(id);
  if (playlist?.account !== account) throw errors.noPlaylist();
  return playlist;
}

const NewItem = z.object({
  snippet: z.object({
    playlistId: z.string(),
    resourceId: z.object({ kind: z.literal("youtube#video"), videoId: z.string() }),
  }),
});

/** `POST /youtube/v3/playlistItems`: costs 50 quota units. A playlist takes the same video several times. */
export async function addPlaylistItem(state: YouTubeState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, [], 50);
  const parts = partsOf(call, ITEM_PARTS);
  const { data } = NewItem.safeParse(await call.req.json().catch(() => undefined));
  if (!data) throw errors.badRequest("Invalid JSON payload received.");
  const { playlistId, resourceId } = data.snippet;
  const playlist = playlistOf(state, account, playlistId);
  if (!state.videos.get(resourceId.videoId)) throw errors.noPlaylistVideo();
  if (playlist.isFull) throw errors.playlistFull();
  const videoIds = [...playlist.videoIds, resourceId.videoId];
  state.playlists.put(playlistId, { ...playlist, videoIds });
  const snippet = { playlistId, resourceId, position: videoIds.length - 1, channelId: channelId(account) };
  const item = { kind: "youtube#playlistItem", etag: "e", id: `item-${playlistId}-${videoIds.length}`, snippet };
  return call.json(pickParts(item, parts));
}

export function isProcessed({ uploadedAt }: Video, now: number): boolean {
  return now >= uploadedAt + PROCESSING_MS;
}

export function presentVideo(video: Video, now: number): Record<string, unknown> {
  const done = isProcessed(video, now);
  const { failureReason, rejectionReason } = video;
  const uploadStatus = !done ? "uploaded" : failureReason ? "failed" : rejectionReason ? "rejected" : "processed";
  const processingStatus = !done
    ? "processing"
    : failureReason
      ? "failed"
      : rejectionReason
        ? "terminated"
        : "succeeded";
  const progress = { partsTotal: "100", partsProcessed: "50", timeLeftMs: "1000" };
  return {
    kind: "youtube#video",
    etag: "e",
    id: video.id,
    snippet: {
      publishedAt: new Date(video.uploadedAt).toISOString(),
      channelId: channelId(video.account),
      title: video.title,
      description: video.description,
      categoryId: video.categoryId,
      ...(video.tags.length > 0 ? { tags: video.tags } : {}),
    },
    status: {
      uploadStatus,
      ...(done && failureReason ? { failureReason } : {}),
      ...(done && rejectionReason && !failureReason ? { rejectionReason } : {}),
      privacyStatus: video.privacy,
      license: "youtube",
      embeddable: true,
      ...(video.madeForKids === undefined ? {} : { selfDeclaredMadeForKids: video.madeForKids }),
      ...(video.containsSyntheticMedia ? { containsSyntheticMedia: true } : {}),
    },
    processingDetails: {
      processingStatus,
      ...(done ? {} : { processingProgress: progress }),
      ...(done && failureReason ? { processingFailureReason: "transcodeFailed" } : {}),
    },
    contentDetails: { duration: `PT${Math.round(video.durationSeconds)}S` },
  };
}

/** `GET /youtube/v3/channels`. Only `mine=true` is simulated. */
export function listChannels(state: YouTubeState, call: Call): Response {
  const { account } = sessionOf(state, call, ["youtube.readonly"], 1);
  const parts = partsOf(call, ["id", "snippet", "status", "contentDetails", "statistics"]);
  const pageInfo = { totalResults: 1, resultsPerPage: 5 };
  const channel = state.channelOf(account);
  const isMine = call.req.query("mine") === "true";
  if (!channel.exists || !isMine)
    return call.json({ kind: "youtube#channelListResponse", etag: "e", pageInfo: { ...pageInfo, totalResults: 0 } });
  const person = state.world.users.findOrCreate("youtube", account);
  const avatar = new URL(avatarPath("youtube", account, ""), call.req.url).href;
  const thumbnails = { default: { url: avatar }, medium: { url: avatar }, high: { url: avatar } };
  const item = {
    kind: "youtube#channel",
    etag: "e",
    id: channelId(account),
    snippet: { title: person.displayName, description: "", customUrl: `@${account}`, thumbnails },
    status: {
      privacyStatus: "public",
      isLinked: true,
      longUploadsStatus: channel.isVerified ? "allowed" : "eligible",
      madeForKids: false,
    },
    contentDetails: { relatedPlaylists: { likes: "", uploads: uploadsPlaylist(account) } },
    statistics: { videoCount: String(state.videosOf(account).length) },
  };
  return call.json({ kind: "youtube#channelListResponse", etag: "e", pageInfo, items: [pickParts(item, parts)] });
}

/** The assignable categories (videoCategories.list, US). */
const CATEGORIES = ["1", "2", "10", "15", "17", "19", "20", "22", "23", "24", "25", "26", "27", "28"];

const Body = z.looseObject({
  snippet: z
    .looseObject({
      title: z.string().optional(),
      description: z.string().optional(),
      categoryId: z.string().optional(),
      tags: z.array(z.string()).optional(),
    })
    .optional(),
  status: z
    .looseObject({
      privacyStatus: z.string().optional(),
      selfDeclaredMadeForKids: z.boolean().optional(),
      containsSyntheticMedia: z.boolean().optional(),
    })
    .optional(),
});

/**
 * Parses and validates the metadata of a video before its bytes are uploaded. Source: videos.insert, errors.
 * @throws YouTubeError
 */
export function metadataOf(call: Call, body: unknown, account: string, parts: string[]): Upload["video"] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) throw errors.badRequest("Invalid JSON payload received.");
  // Properties whose part is not listed in `part` are ignored.
  const snippet = parts.includes("snippet") ? (parsed.data.snippet ?? {}) : {};
  const status = parts.includes("status") ? (parsed.data.status ?? {}) : {};
  const { title = "", description = "", categoryId = "22", tags = [] } = snippet;
  if (title.trim() === "" || [...title].length > 100 || /[<>]/.test(title))
    throw errors.invalid("invalidTitle", "The request metadata specifies an invalid or empty video title.");
  if (Buffer.byteLength(description) > 5000 || /[<>]/.test(description))
    throw errors.invalid("invalidDescription", "The request metadata specifies an invalid video description.");
  if (!CATEGORIES.includes(categoryId))
    throw errors.invalid("invalidCategoryId", "The request metadata specifies an invalid video category ID.");
  if (lengthOf(tags) > 500)
    throw errors.invalid("invalidTags", "The request metadata specifies invalid video keywords.");
  const privacy = privacyOf(status.privacyStatus ?? "public");
  const { selfDeclaredMadeForKids: madeForKids, containsSyntheticMedia } = status;
  const notifiesSubscribers = call.req.query("notifySubscribers") !== "false";
  const declared = { madeForKids, containsSyntheticMedia, notifiesSubscribers };
  return { account, title, description, categoryId, tags, privacy, ...declared, captions: [] };
}

/** The length of all tags: commas between them count, and so do quotes around tags with spaces. */
function lengthOf(tags: string[]): number {
  return [...tags.map((tag) => (tag.includes(" ") ? `"${tag}"` : tag)).join(",")].length;
}

/**
 * Parses a privacy status, which must be in lower case.
 * @throws YouTubeError
 */
function privacyOf(value: string): "public" | "unlisted" | "private" {
  if (value === "public" || value === "unlisted" || value === "private") return value;
  throw new YouTubeError(400, "badRequest", `Invalid value at 'resource.status.privacy_status' (${value})`);
}
