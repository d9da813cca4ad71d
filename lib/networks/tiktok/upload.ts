import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import { publishStatus } from "./api";

/**
 * Up to this size, a video is sent whole. developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide allows chunks of
 * 5 to 64 MB, but since August 2026 TikTok refuses the chunks of some videos of 66 to 94 MB.
 */
const WHOLE_BYTES = 64_000_000;
/** Larger videos are sent in chunks of the first size, or of the second one if TikTok refuses the first. */
const CHUNK_BYTES = 10_485_760;
export const SMALLER_CHUNK_BYTES = 5_242_880;

type Chunk = { first: number; last: number };

/** The size of the chunks in which a video is sent first. */
export function chunkBytesFor(sizeBytes: number): number {
  return sizeBytes <= WHOLE_BYTES ? sizeBytes : CHUNK_BYTES;
}

/** Splits a video into whole chunks; the last one includes the remainder, so it is the longest. */
export function chunkPlan(sizeBytes: number, chunkBytes: number): { chunkSize: number; chunks: Chunk[] } {
  const chunkSize = Math.min(sizeBytes, chunkBytes);
  const count = Math.floor(sizeBytes / chunkSize);
  const chunks = Array.from({ length: count }, (_, index) => ({
    first: index * chunkSize,
    last: index === count - 1 ? sizeBytes - 1 : (index + 1) * chunkSize - 1,
  }));
  return { chunkSize, chunks };
}

/** `chunkBytes`: the announced size of the chunks. */
export type TikTokUpload = { publishId: string; uploadUrl: string; chunkBytes: number };
/** `gone`: the upload address no longer accepts data (it is valid for an hour), and nothing was published through it. */
type Sent = "stored" | "gone";

/**
 * Sends the chunks that TikTok does not have yet, in order. The last chunk publishes the video and cannot be undone. The upload's
 * progress shows whether it arrived, so it can be repeated safely.
 */
export async function uploadVideo(run: Run, part: string, upload: TikTokUpload, media: OutgoingMedia): Promise<Sent> {
  const { chunks } = chunkPlan(media.sizeBytes, upload.chunkBytes);
  for (const [index, chunk] of chunks.slice(0, -1).entries()) {
    const name = `${part}, chunk ${index + 1} of ${chunks.length}`;
    if ((await run.step(name, () => putChunk(run, upload, media, chunk))) === "gone") return "gone";
  }
  const last = chunks.at(-1) ?? { first: 0, last: media.sizeBytes - 1 };
  return run.commit(`${part}, last chunk`, () => putChunk(run, upload, media, last), {
    find: () => findComplete(run, upload, media.sizeBytes),
    repeatable: true,
  });
}

/** 206 and 201: stored. 403 and 404: the address has expired. 416: TikTok's progress differs from ours. */
async function putChunk(
  run: Run,
  { publishId, uploadUrl }: TikTokUpload,
  media: OutgoingMedia,
  chunk: Chunk,
): Promise<Sent> {
  const response = await run.fetch(uploadUrl, {
    method: "PUT",
    headers: {
      "content-type": media.contentType,
      "content-length": String(chunk.last - chunk.first + 1),
      "content-range": `bytes ${chunk.first}-${chunk.last}/${media.sizeBytes}`,
    },
    body: await media.open(chunk),
    auth: "none",
    timeoutSeconds: 300,
    accept: [403, 404, 416],
  });
  if (response.ok) return "stored";
  const { status, uploaded_bytes: uploaded } = await publishStatus(run, publishId);
  if (status !== "PROCESSING_UPLOAD" || (uploaded ?? 0) > chunk.last) return "stored";
  if (response.status !== 416) return "gone";
  throw new PlatformError("later", "TikTok lost a part of the video", { refused: true, retryAfterSeconds: 15 });
}

/** Whether the whole file has arrived; undefined if the last chunk has not. */
async function findComplete(run: Run, { publishId }: TikTokUpload, sizeBytes: number): Promise<Sent | undefined> {
  const { status, uploaded_bytes: uploaded } = await publishStatus(run, publishId);
  return status !== "PROCESSING_UPLOAD" || (uploaded ?? 0) >= sizeBytes ? "stored" : undefined;
}
