import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { randomToken } from "../core/ids";
import { inspectMedia } from "../core/media";
import { readParts } from "../core/multipart";
import { type Call, hasFault, type Operation } from "../core/network";
import { errors, partsOf, pickParts, sessionOf } from "./request";
import { type Upload, type Video, videoId, type YouTubeState } from "./state";
import { isProcessed, metadataOf, presentVideo, VIDEO_PARTS } from "./videos";

const CHUNK_MULTIPLE = 262_144;
const DAY_MS = 86_400_000;
const SHORT_SECONDS = 180;
const UNVERIFIED_SECONDS = 900;

/** A multipart upload publishes the video at once. */
export function insertOperation(call: Call): Operation {
  return call.req.query("uploadType") === "multipart" ? "publish" : "prepare";
}

/**
 * `POST /upload/youtube/v3/videos`. With `uploadType=resumable` it returns the session URL in `Location` and no body. With
 * `uploadType=multipart` the body holds the metadata and then the file, and the response is the video.
 */
export async function insertVideo(state: YouTubeState, call: Call): Promise<Response> {
  const { account, grant } = sessionOf(state, call, ["youtube.upload"], 0);
  const isWhole = call.req.query("uploadType") === "multipart";
  if (!isWhole && call.req.query("uploadType") !== "resumable")
    throw errors.badRequest("Only uploadType=resumable and uploadType=multipart are simulated.");
  const [described, file] = isWhole ? ((await readParts(call)) ?? []) : [];
  if (isWhole && !file) throw errors.badRequest("Malformed multipart body.");
  if (!state.spend("inserts", 1)) throw errors.quota();
  const channel = state.channelOf(account);
  if (!channel.exists) throw errors.noChannel();
  const parts = partsOf(call, VIDEO_PARTS);
  const body = described
    ? jsonOf(new TextDecoder().decode(described.bytes))
    : await call.req.json().catch(() => undefined);
  const video = metadataOf(call, body, account, parts);
  const today = state.videosOf(account).filter(({ uploadedAt }) => uploadedAt > state.world.clock.now() - DAY_MS);
  if (today.length >= channel.uploadsPerDay) throw errors.uploadLimit();
  const type = file?.type ?? call.req.header("x-upload-content-type") ?? "application/octet-stream";
  if (!/^video\/|^application\/octet-stream$/.test(type))
    throw errors.badRequest(`Media type '${type}' is not supported.`);
  const length = call.req.header("x-upload-content-length");
  const { maxVideoBytes, tooLargeStatus } = state.switches;
  if (Number(length ?? file?.bytes.length) > maxVideoBytes) throw errors.tooLarge(maxVideoBytes, tooLargeStatus);
  const upload: Upload = {
    id: randomToken(24),
    account,
    grant,
    video,
    parts,
    ...(length ? { size: Number(length) } : {}),
    type,
    stored: 0,
    createdAt: state.world.clock.now(),
  };
  if (file) return finished(state, call, await keepWhole(state, call, upload, file.bytes));
  state.uploads.put(upload.id, upload);
  const location = new URL(call.req.url);
  location.searchParams.set("upload_id", upload.id);
  return call.body(null, 200, { location: location.href, "x-guploader-uploadid": upload.id });
}

type Range = { first?: number; last?: number; total: number };

/** The last bytes of a video publish it. A star instead of a range queries the status. */
export function uploadOperation(call: Call): Operation {
  const range = rangeOf(call);
  if (range?.first === undefined) return range ? "status" : "publish";
  return (range.last ?? 0) + 1 === range.total ? "publish" : "upload";
}

/** `PUT <session>`. Source: using the resumable upload protocol. */
export async function putBytes(state: YouTubeState, call: Call): Promise<Response> {
  const upload = state.uploads.get(call.req.query("upload_id") ?? "");
  if (!upload || upload.createdAt + state.switches.sessionSeconds * 1000 <= state.world.clock.now())
    throw errors.noSession();
  call.get("entry").account = upload.account;
  if (state.switches.uploadsNeedToken) sessionOf(state, call, ["youtube.upload"], 0);
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  if (hasFault(call, "gone")) {
    state.uploads.delete(upload.id);
    throw errors.sessionGone();
  }
  if (upload.videoId) return finished(state, call, upload);
  const range = rangeOf(call) ?? { first: 0, last: bytes.length - 1, total: bytes.length };
  if (upload.size !== undefined && range.total !== upload.size)
    throw errors.badRequest("The total size is not the one that was announced.");
  if (range.first === undefined) return incomplete(call, upload);
  const isLast = (range.last ?? 0) + 1 === range.total;
  if (bytes.length !== (range.last ?? 0) - range.first + 1)
    throw errors.badRequest("Content-Range does not fit the body.");
  if (!isLast && bytes.length % CHUNK_MULTIPLE !== 0) throw errors.badRequest("Chunks are multiples of 256 KiB.");
  if (range.first !== upload.stored)
    throw errors.badRequest(`Failed to parse Content-Range: ${upload.stored} bytes are stored.`);
  return store(state, call, upload, bytes, isLast);
}

async function store(state: YouTubeState, call: Call, upload: Upload, bytes: Uint8Array, isLast: boolean) {
  const file = path.join(state.world.dir, "uploads", `youtube-${upload.id}`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const accepted = isLast ? bytes : bytes.subarray(0, acknowledged(upload, bytes.length));
  fs.writeFileSync(file, accepted, { flag: upload.stored === 0 ? "w" : "a" });
  const updated = state.uploads.put(upload.id, { ...upload, stored: upload.stored + accepted.length });
  if (!isLast) return incomplete(call, updated);
  const complete = fs.readFileSync(file);
  fs.rmSync(file);
  return finished(state, call, await keepWhole(state, call, updated, complete));
}

/** Turns the complete bytes of an upload into a video. */
async function keepWhole(state: YouTubeState, call: Call, upload: Upload, bytes: Uint8Array): Promise<Upload> {
  const video = await keepVideo(state, upload, bytes, {
    ...(hasFault(call, "processing_fails") ? { failureReason: "conversion" } : {}),
    ...(hasFault(call, "duplicate") ? { rejectionReason: "duplicate" } : {}),
  });
  return state.uploads.put(upload.id, { ...upload, videoId: video.id });
}

/** Drops the last 256 KiB of a first chunk, so clients must handle fewer stored bytes than they sent. */
function acknowledged({ stored }: Upload, sent: number): number {
  return stored === 0 && sent > CHUNK_MULTIPLE ? sent - CHUNK_MULTIPLE : sent;
}

/** 308 with the stored bytes in `Range`, or without `Range` if nothing is stored. It is not a redirect. */
function incomplete(call: Call, { stored }: Upload): Response {
  return call.body(null, 308, stored === 0 ? {} : { range: `bytes=0-${stored - 1}` });
}

/** The video of a completed session, also for repeated requests. */
function finished(state: YouTubeState, call: Call, upload: Upload): Response {
  const video = state.videos.get(upload.videoId ?? "");
  if (!video) throw errors.noSession();
  return call.json(pickParts(presentVideo(video, state.world.clock.now()), upload.parts), 200);
}

type ProcessingFailure = Pick<Video, "failureReason" | "rejectionReason">;

async function keepVideo(
  state: YouTubeState,
  upload: Upload,
  bytes: Uint8Array,
  fate: ProcessingFailure,
): Promise<Video> {
  const info = await inspectMedia(bytes);
  const isVideo = info.kind === "video";
  const seconds = isVideo ? info.durationSeconds : 0;
  const isTooLong = seconds > UNVERIFIED_SECONDS + 0.5 && !state.channelOf(upload.account).isVerified;
  const video: Video = {
    ...upload.video,
    id: videoId(),
    file: state.world.blobs.store(bytes, info.type),
    durationSeconds: seconds,
    isShort: isVideo && info.height >= info.width && seconds <= SHORT_SECONDS + 0.5,
    uploadedAt: state.world.clock.now(),
    ...(isVideo ? {} : { failureReason: "invalidFile" }),
    ...(isTooLong ? { rejectionReason: "length" } : {}),
    ...fate,
  };
  state.videos.put(video.id, video);
  if (!video.failureReason && !video.rejectionReason) state.world.posts.add(presentPost(video));
  return video;
}

function presentPost(video: Video) {
  const { id, account, title, description, categoryId, privacy, file, thumbnail, uploadedAt } = video;
  const { madeForKids, containsSyntheticMedia, notifiesSubscribers, tags, captions } = video;
  return {
    id,
    network: "youtube",
    account,
    text: description,
    media: file ? [file] : [],
    settings: {
      title,
      categoryId,
      privacyStatus: privacy,
      ...(madeForKids === undefined ? {} : { selfDeclaredMadeForKids: madeForKids }),
      ...(containsSyntheticMedia === undefined ? {} : { containsSyntheticMedia }),
      ...(notifiesSubscribers ? {} : { notifySubscribers: false }),
      ...(tags.length > 0 ? { tags } : {}),
      ...(captions.length > 0 ? { captions } : {}),
      ...(thumbnail ? { thumbnail } : {}),
    },
    permalink: `https://www.youtube.com/watch?v=${id}`,
    receivedTime: new Date(uploadedAt).toISOString(),
  };
}

function rangeOf(call: Call): Range | undefined {
  const header = call.req.header("content-range");
  if (header === undefined) return undefined;
  const query = /^bytes \*\/(\d+)$/.exec(header);
  if (query) return { total: Number(query[1]) };
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header);
  if (!match) throw errors.badRequest("Failed to parse Content-Range header.");
  return { first: Number(match[1]), last: Number(match[2]), total: Number(match[3]) };
}

const MAX_BYTES = 52_428_800;

/** `POST /upload/youtube/v3/thumbnails/set`: costs 50 quota units. */
export async function setThumbnail(state: YouTubeState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, ["youtube.upload"], 50);
  const video = state.videos.get(call.req.query("videoId") ?? "");
  if (video?.account !== account) throw errors.noVideo();
  if (!state.channelOf(account).isVerified) throw errors.noCustomThumbnails();
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw errors.tooLarge(MAX_BYTES);
  const info = await inspectMedia(bytes);
  if (info.kind !== "image" || !["image/jpeg", "image/png"].includes(info.type)) throw errors.badImage();
  if (info.width < state.switches.minThumbnailWidth) throw errors.badImage();
  // For a Short that is still being processed, YouTube returns success but ignores the thumbnail.
  const isIgnored = video.isShort && !isProcessed(video, state.world.clock.now());
  if (!isIgnored) {
    const changed = state.videos.put(video.id, { ...video, thumbnail: state.world.blobs.store(bytes, info.type) });
    state.world.posts.add(presentPost(changed));
  }
  const url = `https://i.ytimg.com/vi/${video.id}/default.jpg`;
  const items = [{ default: { url }, medium: { url }, high: { url } }];
  return call.json({ kind: "youtube#thumbnailSetResponse", etag: "e", items });
}

const CaptionBody = z.object({
  snippet: z.object({ videoId: z.string(), language: z.string().min(2), name: z.string().max(150) }),
});

/** `POST /upload/youtube/v3/captions?uploadType=multipart`: the track's resource and its file; costs 400 quota units. */
export async function addCaption(state: YouTubeState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, [], 400);
  partsOf(call, ["id", "snippet"]);
  if (call.req.query("uploadType") !== "multipart") throw errors.badRequest("Only uploadType=multipart is simulated.");
  const parts = await readParts(call);
  if (!parts) throw errors.badRequest("Media type is not supported.");
  const [resource, file] = parts.map(({ bytes }) => new TextDecoder().decode(bytes));
  const text = file ?? "";
  const { data } = CaptionBody.safeParse(jsonOf(resource ?? ""));
  if (!data) throw errors.badRequest("Invalid JSON payload received.");
  const { videoId, language, name } = data.snippet;
  const video = state.videos.get(videoId);
  if (video?.account !== account) throw errors.noCaptionedVideo();
  if (text.trim() === "") throw errors.noCaptions();
  if (video.captions.some((one) => one.language === language && one.name === name)) throw errors.captionExists();
  const changed = state.videos.put(videoId, { ...video, captions: [...video.captions, { language, name, text }] });
  state.world.posts.add(presentPost(changed));
  const id = randomToken(24);
  return call.json({ kind: "youtube#caption", etag: "e", id, snippet: { ...data.snippet, status: "serving" } });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
