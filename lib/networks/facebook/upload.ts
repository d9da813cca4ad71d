import { z } from "zod";
import { env } from "../../env";
import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { type GraphCaller, get, postForm, postMultipart } from "./api";
import { hasErrorCode, processingError, uploadOffsets } from "./errors";

const fault = z.object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() });
const phase = z.object({ status: z.string().optional(), error: fault.optional(), errors: z.array(fault).optional() });
const statusSchema = z.object({
  video_status: z.string().optional(),
  // The guides and the reference spell this field differently.
  uploading_phase: phase
    .extend({ bytes_transfered: z.coerce.number().optional(), bytes_transferred: z.coerce.number().optional() })
    .optional(),
  processing_phase: phase.optional(),
  publishing_phase: phase.extend({ publish_status: z.string().optional() }).optional(),
});
const videoSchema = z.object({
  id: idSchema,
  status: statusSchema.default({}),
  post_id: idSchema.optional(),
  permalink_url: z.string().optional(),
  published: z.boolean().optional(),
});

export type VideoState = {
  /** Number of bytes uploaded, and whether the upload is complete. */
  received: number;
  isReceived: boolean;
  state: "waiting" | "uploaded" | "published" | "failed";
  fault?: { code?: string | number; message?: string };
  postId?: string;
  permalink?: string;
};

const FAILED_STATES = ["error", "expired", "upload_failed"];

/** Reads a video's state (developers.facebook.com/documentation/video-api/guides/reels-publishing). An error can be in any phase. */
export async function readVideo(page: GraphCaller, id: string): Promise<VideoState> {
  const answer = await get(page, `/${id}`, { fields: "id,status,post_id,permalink_url,published" });
  const { status, post_id, permalink_url } = await readAnswer("Facebook", videoSchema, answer);
  const { uploading_phase: uploading, processing_phase: processing, publishing_phase: publishing } = status;
  const failed = [uploading, processing, publishing].find(
    (one) => one?.status === "error" || one?.error || one?.errors?.length,
  );
  return {
    received: uploading?.bytes_transfered ?? uploading?.bytes_transferred ?? 0,
    isReceived: uploading?.status?.startsWith("complete") ?? false,
    state: failed || FAILED_STATES.includes(status.video_status ?? "") ? "failed" : stateOf(status),
    fault: failed?.error ?? failed?.errors?.[0],
    postId: post_id,
    permalink: permalink_url?.startsWith("/") ? `https://www.facebook.com${permalink_url}` : permalink_url,
  };
}

function stateOf({ video_status, publishing_phase: publishing }: z.output<typeof statusSchema>): VideoState["state"] {
  if (publishing?.status?.startsWith("complete") && publishing.publish_status === "published") return "published";
  return video_status === "upload_complete" || video_status === "ready" ? "uploaded" : "waiting";
}

const TRIES = 2;
const offset = z.coerce.number().int().nonnegative();
const startedSchema = z.object({
  upload_session_id: idSchema,
  video_id: idSchema,
  start_offset: offset,
  end_offset: offset,
});
const nextSchema = z.object({ start_offset: offset, end_offset: offset });

export type ChunkedUpload = { videoId: string; sessionId: string };

/**
 * Uploads a feed video in the parts that Facebook asks for (developers.facebook.com/docs/graph-api/reference/page/videos). An
 * interrupted upload continues where Facebook says; a lost session is started once more.
 */
export async function uploadChunked(
  run: Run,
  page: GraphCaller,
  pageId: string,
  media: OutgoingMedia,
): Promise<ChunkedUpload> {
  for (let attempt = 1; ; attempt++) {
    const started = await run.step(`upload ${attempt}`, () => startChunked(page, pageId, media));
    const { upload_session_id: sessionId, video_id: videoId } = started;
    try {
      let next: z.output<typeof nextSchema> = started;
      while (next.start_offset < next.end_offset) {
        const { start_offset: start, end_offset: end } = next;
        next = await run.step(`upload ${attempt}, from ${start}`, () =>
          transfer(page, pageId, sessionId, media, { start, end }),
        );
      }
      return { sessionId, videoId };
    } catch (error) {
      const isLost = error instanceof PlatformError && error.kind === "later" && hasErrorCode(error, "1363019|6000");
      if (!isLost || attempt === TRIES) throw error;
    }
  }
}

async function startChunked(page: GraphCaller, pageId: string, media: OutgoingMedia) {
  const fields = { upload_phase: "start", file_size: String(media.sizeBytes) };
  return readAnswer("Facebook", startedSchema, await postForm(page, `/${pageId}/videos`, fields, { host: "video" }));
}

/** Sends one part; if Facebook expects a different part, returns the offsets of that one. */
async function transfer(
  page: GraphCaller,
  pageId: string,
  sessionId: string,
  media: OutgoingMedia,
  part: { start: number; end: number },
) {
  const { start, end } = part;
  const chunk = {
    filename: media.filename,
    contentType: "application/octet-stream",
    sizeBytes: end - start,
    open: () => media.open({ first: start, last: end - 1 }),
  };
  const parts = {
    upload_phase: "transfer",
    upload_session_id: sessionId,
    start_offset: String(start),
    video_file_chunk: chunk,
  };
  try {
    return await readAnswer(
      "Facebook",
      nextSchema,
      await postMultipart(page, `/${pageId}/videos`, parts, { host: "video" }),
    );
  } catch (error) {
    const stated = uploadOffsets(error);
    if (!stated) throw error;
    return { start_offset: stated.start, end_offset: stated.end };
  }
}

const phaseSchema = z.object({ video_id: idSchema, upload_url: z.string() });

/** Uploads the file of a reel or story: starts the upload, then sends the bytes to a second host, from the last offset. */
export async function uploadWhole(
  run: Run,
  page: GraphCaller,
  name: string,
  edge: string,
  media: OutgoingMedia,
): Promise<string> {
  const started = await run.step(`${name}, start`, async () =>
    readAnswer("Facebook", phaseSchema, await postForm(page, edge, { upload_phase: "start" })),
  );
  await run.step(`${name}, upload`, () => uploadRemaining(page, started, media));
  return started.video_id;
}

const STUCK_MS = 180_000 / env.timeFactor;

/**
 * Waits until Facebook has the whole file of a reel or story, so that the call that publishes it is not refused. Some videos
 * stay at "processing" although their upload is complete; after some minutes, these count as uploaded
 * (github.com/fbsamples/reels_publishing_apis/issues/47).
 * @throws PlatformError `rejected` if Facebook refused the file
 */
export async function awaitUpload(run: Run, page: GraphCaller, name: string, videoId: string): Promise<void> {
  const begun = await run.step(`${name}, sent`, async () => Date.now());
  const video = await run.poll<VideoState>(`${name}, uploaded`, async () => {
    const now = await readVideo(page, videoId);
    if (now.state !== "waiting") return now;
    return now.isReceived && Date.now() - begun > STUCK_MS ? { ...now, state: "uploaded" } : undefined;
  });
  if (video.state === "failed") throw processingError(video.fault);
}

/**
 * Reads the error of a call that publishes a video, if an earlier such call had no answer. What Facebook answers to a second one
 * is not documented, and reads may lag behind, so a refusal does not show that the video is not public.
 */
export function refusedAgain(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.kind !== "rejected" || error.duplicate) return error;
  const says = "Facebook refused to publish this video again, so the first try may have published it";
  return new PlatformError("unknown", says, { answer: error.answer });
}

/** This host uses `Authorization: OAuth` and no `appsecret_proof`, which is for Graph API calls only. */
async function uploadRemaining(
  page: GraphCaller,
  { video_id, upload_url }: z.output<typeof phaseSchema>,
  media: OutgoingMedia,
): Promise<true> {
  const { received, isReceived, state } = await readVideo(page, video_id);
  if (state === "failed") throw new PlatformError("rejected", "Facebook stopped the upload of the video");
  if (isReceived || received >= media.sizeBytes) return true;
  const headers = {
    authorization: `OAuth ${page.token}`,
    offset: String(received),
    file_size: String(media.sizeBytes),
    "content-type": "application/octet-stream",
    "content-length": String(media.sizeBytes - received),
  };
  const body = await media.open({ first: received, last: media.sizeBytes - 1 });
  await page.fetch(upload_url, { method: "POST", headers, body, auth: "none", timeoutSeconds: 300 });
  return true;
}
