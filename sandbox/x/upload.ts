import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { type Call, hasFault } from "../core/network";
import { checkMedia, EXPIRES_SECONDS, MAX_BYTES } from "./media-rules";
import { invalidRequest, jsonBody, mediaBody, sessionOf } from "./request";
import type { XMedia, XState } from "./state";

const PREFIX: Record<string, string> = { tweet_image: "3", tweet_gif: "16", tweet_video: "7", amplify_video: "13" };
const PROCESSING_PROBLEM = "The media could not be processed.";

/** `POST /2/media/upload`: uploads an image in one request. Other media use the chunked upload. */
export async function uploadImage(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "upload", ["media.write"]);
  const { fields, media: bytes } = await mediaBody(call, ["media_category", "additional_owners"]);
  if (fields.media_category === undefined) throw invalidRequest("$.media_category: is missing but it is required");
  if (fields.media_category !== "tweet_image") {
    throw invalidRequest("$.media_category: does not have a value that this form of upload takes", {
      media_category: [fields.media_category],
    });
  }
  const result = await checkMedia(bytes, "tweet_image", state.switches.subscription);
  if ("problem" in result) throw invalidRequest(result.problem, { media: [] });
  const media = startMedia(state, session.account, "tweet_image", result.info.type, bytes.byteLength);
  return call.json({
    data: present(await completeUpload(state, { ...media, problem: processingProblem(call) }, bytes), state),
  });
}

const Initialize = z.strictObject({
  media_type: z.enum([
    "video/mp4",
    "video/webm",
    "video/mp2t",
    "video/quicktime",
    "text/srt",
    "text/vtt",
    "image/jpeg",
    "image/gif",
    "image/bmp",
    "image/png",
    "image/webp",
    "image/pjpeg",
    "image/tiff",
    "model/gltf-binary",
    "model/vnd.usdz+zip",
  ]),
  total_bytes: z.int().min(1).max(17_179_869_184),
  media_category: z.enum(["tweet_image", "tweet_gif", "tweet_video", "amplify_video"]),
  shared: z.boolean().optional(),
  additional_owners: z.array(z.string()).optional(),
});

/** `POST /2/media/upload/initialize`. */
export async function initialize(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "initialize", ["media.write"]);
  const body = await jsonBody(call, Initialize);
  if (body.total_bytes > (MAX_BYTES[body.media_category] ?? 0)) {
    throw invalidRequest(`File size exceeds ${MAX_BYTES[body.media_category]} bytes.`, {
      total_bytes: [String(body.total_bytes)],
    });
  }
  const started = startMedia(state, session.account, body.media_category, body.media_type, body.total_bytes);
  const media = state.media.put(started.id, { ...started, problem: processingProblem(call) });
  return call.json({ data: { id: media.id, media_key: mediaKey(media), expires_after_secs: EXPIRES_SECONDS } });
}

/** `POST /2/media/upload/{id}/append`. */
export async function append(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "append", ["media.write"]);
  const { fields, media: bytes } = await mediaBody(call, ["segment_index"]);
  const media = ownMedia(state, session.account, call.req.param("id") ?? "");
  const index = Number(fields.segment_index);
  if (!/^\d{1,3}$/.test(fields.segment_index ?? ""))
    throw invalidRequest("$.segment_index: must be an integer from 0 to 999");
  if (media.state !== "uploading") throw invalidRequest("The upload has been finalized.", { id: [media.id] });
  fs.mkdirSync(segmentDir(state, media.id), { recursive: true });
  fs.writeFileSync(path.join(segmentDir(state, media.id), String(index)), bytes);
  const segments = { ...media.segments, [index]: bytes.byteLength };
  state.media.put(media.id, { ...media, segments, problem: media.problem ?? processingProblem(call) });
  return call.json({ data: { expires_at: Math.floor(media.expiresAt / 1000) } });
}

/** `POST /2/media/upload/{id}/finalize`. */
export async function finalize(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "finalize", ["media.write"]);
  const media = ownMedia(state, session.account, call.req.param("id") ?? "");
  if (media.state !== "uploading") return call.json({ data: present(media, state) });
  const indexes = Object.keys(media.segments)
    .map(Number)
    .sort((a, b) => a - b);
  const total = Object.values(media.segments).reduce((sum, size) => sum + size, 0);
  if (indexes.length === 0 || indexes.some((value, position) => value !== position)) {
    throw invalidRequest("Segments do not add up to provided total file size. Segments are missing.", {
      id: [media.id],
    });
  }
  if (total !== media.totalBytes)
    throw invalidRequest("Segments do not add up to provided total file size.", { id: [media.id] });
  const bytes = Buffer.concat(
    indexes.map((index) => fs.readFileSync(path.join(segmentDir(state, media.id), String(index)))),
  );
  const settled = await completeUpload(state, { ...media, problem: media.problem ?? processingProblem(call) }, bytes);
  fs.rmSync(segmentDir(state, media.id), { recursive: true, force: true });
  return call.json({ data: present(settled, state) });
}

/** `GET /2/media/upload`: each poll advances the processing by one state. */
export function uploadStatus(state: XState, call: Call): Response {
  const session = sessionOf(state, call, "uploadStatus", ["media.write"]);
  const command = call.req.query("command");
  if (command !== undefined && command !== "STATUS")
    throw invalidRequest("$.command: does not have a value in the enumeration [STATUS]");
  const media = ownMedia(state, session.account, call.req.query("media_id") ?? "");
  const problem = media.problem ?? processingProblem(call);
  const next =
    media.state === "pending"
      ? "in_progress"
      : media.state === "in_progress"
        ? problem
          ? "failed"
          : "succeeded"
        : media.state;
  return call.json({ data: present(state.media.put(media.id, { ...media, problem, state: next }), state) });
}

function startMedia(
  state: XState,
  account: string,
  category: string,
  declaredType: string,
  totalBytes: number,
): XMedia {
  const id = state.world.ids.snowflake();
  const expiresAt = state.world.clock.now() + EXPIRES_SECONDS * 1000;
  return { id, account, category, declaredType, totalBytes, segments: {}, state: "uploading", expiresAt };
}

/** Checks a completely uploaded file. Images are ready at once; animations and videos are processed over some polls. */
async function completeUpload(state: XState, media: XMedia, bytes: Uint8Array): Promise<XMedia> {
  const result = await checkMedia(bytes, media.category, state.switches.subscription);
  const { info } = result;
  const problem = media.problem ?? ("problem" in result ? result.problem : undefined);
  if (media.category === "tweet_image" && "problem" in result) throw invalidRequest(result.problem, { media: [] });
  return state.media.put(media.id, {
    ...media,
    problem,
    kind: "kind" in result ? result.kind : undefined,
    file: state.world.blobs.store(bytes, info.type),
    ...(info.kind === "other" ? {} : { width: info.width, height: info.height }),
    ...(info.kind === "video" ? { durationSeconds: info.durationSeconds } : {}),
    state: media.category !== "tweet_image" ? "pending" : problem ? "failed" : "succeeded",
  });
}

/**
 * The user's media with this id.
 * @throws XError if it is unknown, expired or belongs to another user
 */
function ownMedia(state: XState, account: string, id: string): XMedia {
  const media = state.media.get(id);
  if (media?.account !== account || media.expiresAt <= state.world.clock.now()) {
    throw invalidRequest(`The media_id ${/^\d{1,19}$/.test(id) ? id : "given"} is invalid or has expired.`, {
      media_id: [id],
    });
  }
  return media;
}

function processingProblem(call: Call): string | undefined {
  return hasFault(call, "processing_fails") ? PROCESSING_PROBLEM : undefined;
}

function segmentDir(state: XState, id: string): string {
  return path.join(state.world.dir, "uploads", id);
}

export function mediaKey(media: XMedia): string {
  return `${PREFIX[media.category]}_${media.id}`;
}

function present(media: XMedia, state: XState) {
  const { kind, width, height, file } = media;
  const secondsLeft = Math.max(0, Math.floor((media.expiresAt - state.world.clock.now()) / 1000));
  return {
    id: media.id,
    media_key: mediaKey(media),
    size: file?.sizeBytes ?? media.totalBytes,
    expires_after_secs: secondsLeft,
    ...(kind === "image" && file ? { image: { w: width, h: height, image_type: file.type } } : {}),
    ...(kind === "video" && file ? { video: { video_type: file.type } } : {}),
    ...(media.category === "tweet_image" || media.state === "uploading"
      ? {}
      : { processing_info: processingInfo(media) }),
  };
}

function processingInfo({ state, problem }: XMedia) {
  switch (state) {
    case "succeeded":
      return { state, progress_percent: 100 };
    case "failed":
      return { state, progress_percent: 100, error: { code: 1, name: "InvalidMedia", message: problem } };
    default:
      return { state, check_after_secs: 1, progress_percent: state === "pending" ? 0 : 50 };
  }
}

const Metadata = z.object({
  id: z.string().regex(/^[0-9]{1,19}$/),
  metadata: z.looseObject({ alt_text: z.strictObject({ text: z.string().max(1000) }).optional() }).optional(),
});

/** `POST /2/media/metadata`: sets alt text before the media are posted. */
export async function setMetadata(state: XState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "metadata", ["media.write"]);
  const { id, metadata } = await jsonBody(call, Metadata);
  const media = ownMedia(state, session.account, id);
  state.media.put(id, { ...media, altText: metadata?.alt_text?.text });
  return call.json({ data: { id, associated_metadata: metadata ?? {} } });
}
