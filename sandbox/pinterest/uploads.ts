import * as z from "zod";
import { randomToken } from "../core/ids";
import { inspectMedia } from "../core/media";
import { type Call, hasFault } from "../core/network";
import { invalid, jsonBody, mediaNotFound, sessionOf } from "./request";
import type { PinterestState, Upload } from "./state";

const MAX_BYTES = 2048 * 1_048_576;

const NewMedia = z.strictObject({ media_type: z.literal("video") });

/** `POST /v5/media`: returns the upload URL and the form fields to send with the file. */
export async function registerMedia(state: PinterestState, call: Call): Promise<Response> {
  const { account, grant } = sessionOf(state, call, "write", ["pins:read", "pins:write"]);
  await jsonBody(call, NewMedia);
  const id = state.world.ids.snowflake();
  const now = state.world.clock.now();
  const upload = state.uploads.put(id, {
    id,
    account,
    grant,
    parameters: parametersOf(id, now),
    expiresAt: now + state.switches.policySeconds * 1000,
    polls: 0,
    ...(hasFault(call, "processing_fails") ? { problem: true } : {}),
  });
  const upload_url = new URL("/pinterest/media-upload/", call.req.url).href;
  return call.json({ media_id: id, media_type: "video", upload_url, upload_parameters: upload.parameters }, 201);
}

function parametersOf(id: string, now: number): Record<string, string> {
  const date = `${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  return {
    "Content-Type": "multipart/form-data",
    key: `uploads/11/aa/22/3:video:${id}`,
    policy: randomToken(60),
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": `ASIASANDBOX/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
    "x-amz-date": date,
    "x-amz-security-token": randomToken(60),
    "x-amz-signature": randomToken(32),
  };
}

/** The media store behind `upload_url`. It is not part of the API: it takes S3's POST form and returns S3's XML errors. */
export async function storeFile(state: PinterestState, call: Call): Promise<Response> {
  if (call.req.header("authorization")) {
    return xml(call, 400, "InvalidArgument", "Only one auth mechanism allowed");
  }
  if (!call.req.header("content-type")?.startsWith("multipart/form-data")) {
    return xml(call, 412, "PreconditionFailed", "Bucket POST must be of the enclosure-type multipart/form-data");
  }
  const fields = [...(await call.req.formData())];
  const file = fields.at(-1);
  if (file?.[0] !== "file" || typeof file[1] === "string") {
    return xml(call, 400, "InvalidArgument", "POST requires exactly one file upload per request, as its last field");
  }
  const given = Object.fromEntries(fields.slice(0, -1));
  const upload = uploadOf(state, given.key);
  if (!upload) return xml(call, 403, "AccessDenied", "Access Denied");
  call.get("entry").account = upload.account;
  if (Object.entries(upload.parameters).some(([name, value]) => given[name] !== value)) {
    return xml(call, 403, "AccessDenied", "Invalid according to Policy: Policy Condition failed");
  }
  if (upload.expiresAt <= state.world.clock.now()) {
    return xml(call, 403, "AccessDenied", "Invalid according to Policy: Policy expired.");
  }
  return storeUpload(state, call, upload, new Uint8Array(await file[1].arrayBuffer()));
}

/** The upload with this form key. */
export function uploadOf(state: PinterestState, key: unknown): Upload | undefined {
  return state.uploads.values().find(({ parameters }) => parameters.key === key);
}

async function storeUpload(state: PinterestState, call: Call, upload: Upload, bytes: Uint8Array): Promise<Response> {
  if (bytes.byteLength > MAX_BYTES) return xml(call, 400, "EntityTooLarge", "Your proposed upload exceeds the maximum");
  const info = await inspectMedia(bytes);
  const isFine = info.kind === "video" && ["video/mp4", "video/quicktime", "video/x-m4v"].includes(info.type);
  const isCoded = info.kind === "video" && ["avc", "hevc"].includes(info.codec);
  const isTimed = info.kind === "video" && info.durationSeconds >= 4 && info.durationSeconds <= 900;
  const ratio = info.kind === "video" ? info.width / info.height : 0;
  const isShaped = ratio > 0.5 && ratio < 1.91;
  const isFast = info.kind === "video" && info.fps > state.switches.maxFrameRate;
  const isRefused = !isFine || !isCoded || !isTimed || !isShaped || isFast;
  const mustFail = upload.problem || isRefused || hasFault(call, "processing_fails");
  const kept = state.world.blobs.store(bytes, info.type);
  const storedAt = state.world.clock.now();
  state.uploads.put(upload.id, { ...upload, file: kept, storedAt, ...(mustFail ? { problem: true } : {}) });
  return call.body(null, 204);
}

function xml(call: Call, status: 400 | 403 | 412, code: string, message: string): Response {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return call.body(body, status, { "content-type": "application/xml" });
}

/** `GET /v5/media/{media_id}`: each request advances the processing. */
export function mediaStatus(state: PinterestState, call: Call): Response {
  const { account } = sessionOf(state, call, "read", ["pins:read", "pins:write"]);
  const upload = ownUpload(state, account, call.req.param("media") ?? "");
  const updated = state.uploads.put(upload.id, {
    ...upload,
    polls: upload.file ? upload.polls + 1 : 0,
    ...(hasFault(call, "processing_fails") ? { problem: true } : {}),
  });
  return call.json({ media_id: updated.id, media_type: "video", status: statusOf(updated) });
}

export function statusOf({ file, polls, problem }: Upload): "registered" | "processing" | "succeeded" | "failed" {
  if (!file) return "registered";
  if (polls < 2) return "processing";
  return problem ? "failed" : "succeeded";
}

/**
 * The upload with this id, if it belongs to the account.
 * @throws PinterestError
 */
export function ownUpload(state: PinterestState, account: string, id: string): Upload {
  if (!/^\d+$/.test(id)) throw invalid(`'${id}' does not match '^\\\\d+$'`);
  const upload = state.uploads.get(id);
  if (upload?.account !== account) throw mediaNotFound();
  return upload;
}
