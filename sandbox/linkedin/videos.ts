import { createHash } from "node:crypto";
import * as z from "zod";
import { randomToken } from "../core/ids";
import { type Call, hasFault } from "../core/network";
import { assertKnown, assetOfUploadUrl, completeUpload, newAsset, ownAsset, statusOf, uploadUrl } from "./assets";
import { assertAuthor, badValue, countCall, jsonBody, noPermission, sessionOf, urnIn } from "./request";
import type { Asset, LinkedInState } from "./state";

const PART_BYTES = 4_194_304;
const MAX_BYTES = 500 * 1_048_576;
const URL_SECONDS = 30 * 86_400;

const Initialize = z.strictObject({
  initializeUploadRequest: z.strictObject({
    owner: z.string(),
    fileSizeBytes: z.int().min(1),
    uploadCaptions: z.boolean().default(false),
    uploadThumbnail: z.boolean().default(false),
  }),
});
const Finalize = z.strictObject({
  finalizeUploadRequest: z.strictObject({
    video: z.string(),
    uploadToken: z.string(),
    uploadedPartIds: z.array(z.string()),
  }),
});

/** `POST /rest/videos?action=initializeUpload` or `finalizeUpload`. */
export function videoAction(state: LinkedInState, call: Call): Promise<Response> {
  return call.req.query("action") === "finalizeUpload" ? finalize(state, call) : initialize(state, call);
}

async function initialize(state: LinkedInState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "videos.ACTION-initializeUpload");
  if (call.req.query("action") !== "initializeUpload") throw badValue("The action is not known", "ILLEGAL_ARGUMENT");
  const { initializeUploadRequest: body } = await jsonBody(call, Initialize);
  assertAuthor(session, body.owner);
  if (body.fileSizeBytes > MAX_BYTES) throw badValue("/fileSizeBytes is too large");
  const asset = newAsset(state, session, "video", URL_SECONDS, {
    owner: body.owner,
    sizeBytes: body.fileSizeBytes,
    uploadToken: randomToken(9),
    ...(hasFault(call, "processing_fails") ? { problem: "The asset could not be processed" } : {}),
  });
  const uploadInstructions = partsOf(body.fileSizeBytes).map(({ firstByte, lastByte }, index) => ({
    uploadUrl: uploadUrl(call, asset, String(index)),
    firstByte,
    lastByte,
  }));
  return call.json({
    value: {
      video: asset.urn,
      uploadToken: asset.uploadToken,
      uploadUrlsExpireAt: asset.expiresAt,
      uploadInstructions,
      ...(body.uploadThumbnail ? { thumbnailUploadUrl: uploadUrl(call, asset, "thumbnail") } : {}),
    },
  });
}

/** The parts of an upload. Like LinkedIn, it states the full length for the last part too, beyond the end of the file. */
function partsOf(sizeBytes: number) {
  return Array.from({ length: Math.ceil(sizeBytes / PART_BYTES) }, (_, index) => ({
    firstByte: index * PART_BYTES,
    lastByte: (index + 1) * PART_BYTES - 1,
  }));
}

/**
 * `PUT` of one part with its exact length, or of the thumbnail with its media type. LinkedIn's samples send no token, and clients
 * in production send one: the URL is the credential.
 */
export async function putPart(state: LinkedInState, call: Call): Promise<Response> {
  const asset = assetOfUploadUrl(state, call);
  call.get("entry").account = asset.account;
  if (state.switches.uploadsCount) countCall(state, asset.account);
  const part = call.req.param("part") ?? "";
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  if (part === "thumbnail") return putThumbnail(state, call, asset, bytes);
  const range = partsOf(asset.sizeBytes ?? 0)[Number(part)];
  if (!range) throw badValue("There is no such part");
  const expected = Math.min(range.lastByte + 1, asset.sizeBytes ?? 0) - range.firstByte;
  if (bytes.byteLength !== expected) throw badValue(`Part ${part} has ${bytes.byteLength} bytes, not ${expected}`);
  const etag = createHash("sha256").update(bytes).update(part).digest("hex").slice(0, 32);
  const kept = state.world.blobs.store(bytes, "application/octet-stream");
  state.assets.put(asset.urn, { ...asset, parts: { ...asset.parts, [part]: { etag, kept } } });
  return call.body(null, 200, { etag: `"${etag}"` });
}

function putThumbnail(state: LinkedInState, call: Call, asset: Asset, bytes: Uint8Array): Response {
  if (call.req.header("media-type-family") !== "STILLIMAGE") throw badValue("media-type-family must be STILLIMAGE");
  state.assets.put(asset.urn, { ...asset, thumbnail: state.world.blobs.store(bytes, "image/jpeg") });
  return call.body(null, 201);
}

/** Joins the parts in the order of the request, even if it is wrong. */
async function finalize(state: LinkedInState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "videos.ACTION-finalizeUpload");
  const { finalizeUploadRequest: body } = await jsonBody(call, Finalize);
  const asset = ownAsset(state, session, body.video);
  // Clients in production send an empty text, which is also the value in LinkedIn's samples.
  if (body.uploadToken !== "" && body.uploadToken !== asset.uploadToken)
    throw badValue("/uploadToken is not the one of this upload");
  const byTag = new Map(Object.values(asset.parts).map(({ etag, kept }) => [etag, kept.sha256]));
  // Clients in production send the header's value with and without its quotes.
  const bytes = body.uploadedPartIds.map((etag) => state.world.blobs.read(byTag.get(etag.replaceAll('"', "")) ?? ""));
  const isWhole = bytes.length === partsOf(asset.sizeBytes ?? 0).length && bytes.every((part) => part !== undefined);
  if (!isWhole) throw badValue("Not all parts were uploaded", "UPDATING_ASSET_FAILED");
  const mustFail = asset.problem !== undefined || hasFault(call, "processing_fails");
  await completeUpload(state, asset, Buffer.concat(bytes.filter((part) => part !== undefined)), mustFail);
  return call.body(null, 200);
}

/** `GET /rest/videos/{urn}`: each request advances the processing. */
export function videoStatus(state: LinkedInState, call: Call): Response {
  const session = sessionOf(state, call, "videos.GET");
  if (state.switches.statusForbidden) throw noPermission("videos.GET");
  const asset = ownAsset(state, session, urnIn(call));
  assertKnown(call, asset);
  const faultProblem = hasFault(call, "processing_fails") ? { problem: "The asset could not be processed" } : {};
  const updated = state.assets.put(asset.urn, {
    ...asset,
    ...faultProblem,
    polls: asset.polls + (asset.completedAt ? 1 : 0),
  });
  const status = statusOf(state, updated);
  return call.json({
    id: updated.urn,
    owner: asset.owner,
    status,
    ...(status === "PROCESSING_FAILED" ? { processingFailureReason: updated.problem } : {}),
  });
}
