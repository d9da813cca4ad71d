import fs from "node:fs";
import path from "node:path";
import { type Call, hasFault, type Operation } from "../core/network";
import { processFiles } from "./media";
import { TikTokError } from "./request";
import type { PublishTask, TikTokState } from "./state";

const LIFETIME_MS = 3_600_000;
const TYPES = ["video/mp4", "video/quicktime", "video/webm"];

type Range = { first: number; last: number; total: number };

/** The last chunk of a file publishes it, so it counts as `publish`. */
export function uploadOperation(call: Call): Operation {
  const range = rangeOf(call);
  return range && range.last + 1 === range.total ? "publish" : "upload";
}

/** `PUT {upload_url}`. It takes no token: the URL is the credential. Source: media transfer guide. */
export async function putChunk(state: TikTokState, call: Call): Promise<Response> {
  const publish = state.byUpload(call.req.query("upload_id") ?? "");
  if (!publish?.upload) throw new TikTokError(404, "upload_not_found", "The upload task is not found.");
  call.get("entry").account = publish.account;
  if (publish.createdAt + LIFETIME_MS <= state.world.clock.now())
    throw new TikTokError(403, "upload_url_expired", "The upload_url has expired.");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  const range = rangeOf(call);
  if (!TYPES.includes(call.req.header("content-type") ?? "")) throw malformed("Content-Type");
  if (!range || range.total !== publish.upload.size || bytes.length !== range.last - range.first + 1)
    throw malformed("Content-Range");
  const { uploaded } = publish.upload;
  if (range.first !== uploaded) throw new TikTokError(416, "range_not_satisfiable", `${uploaded} bytes are stored.`);
  assertWholeChunk(publish.upload, range);
  return store(state, call, publish, publish.upload, bytes);
}

async function store(
  state: TikTokState,
  call: Call,
  publish: PublishTask,
  upload: NonNullable<PublishTask["upload"]>,
  bytes: Uint8Array,
): Promise<Response> {
  const file = path.join(state.world.dir, "uploads", `tiktok-${upload.id}`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, bytes, { flag: upload.uploaded === 0 ? "w" : "a" });
  const failReason = publish.failReason ?? (hasFault(call, "processing_fails") ? "internal" : undefined);
  const updated = { ...upload, uploaded: upload.uploaded + bytes.length };
  const current = state.publishes.put(publish.id, { ...publish, failReason, upload: updated });
  if (updated.uploaded < updated.size) return stored(call, 206, updated);
  const complete = fs.readFileSync(file);
  fs.rmSync(file);
  await processFiles(state, current, [complete]);
  return stored(call, 201, updated);
}

/** Every chunk has the announced length, except the last, which includes the remainder. */
function assertWholeChunk(
  { chunkSize, chunks, size }: NonNullable<PublishTask["upload"]>,
  { first, last }: Range,
): void {
  const index = first / chunkSize;
  const end = index === chunks - 1 ? size - 1 : first + chunkSize - 1;
  if (!Number.isInteger(index) || last !== end) throw malformed("Content-Range");
}

function malformed(header: string): TikTokError {
  return new TikTokError(400, "invalid_params", `The ${header} is invalid.`);
}

function stored(call: Call, status: 201 | 206, { uploaded, size }: { uploaded: number; size: number }): Response {
  return call.body(null, status, { "content-range": `bytes 0-${uploaded - 1}/${size}` });
}

function rangeOf(call: Call): Range | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(call.req.header("content-range") ?? "");
  return match ? { first: Number(match[1]), last: Number(match[2]), total: Number(match[3]) } : undefined;
}
