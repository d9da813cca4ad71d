import * as z from "zod";
import { randomToken } from "../core/ids";
import { inspectMedia, typeOf } from "../core/media";
import { type Call, hasFault } from "../core/network";
import {
  assertAuthor,
  badValue,
  forbidden,
  jsonBody,
  LinkedInError,
  type LinkedInSession,
  noPermission,
  requireToken,
  sessionOf,
  unversionedSessionOf,
  urnIn,
  waitingForUpload,
} from "./request";
import type { Asset, LinkedInState } from "./state";

const VIDEO_PROCESSING_MS = 5_000;

type Status = "WAITING_UPLOAD" | "PROCESSING" | "AVAILABLE" | "PROCESSING_FAILED";

const PREFIXES = { image: "D4E10AQ", video: "D5F10AQ", document: "D4E1FAQ" };

const newAssetId = () => randomToken(12).replace(/[-_]/g, "x");

/** Registers an image, video or document of the member. Its bytes are uploaded later. */
export function newAsset(
  state: LinkedInState,
  session: LinkedInSession,
  kind: Asset["kind"],
  lifeSeconds: number,
  more: Partial<Asset> & Pick<Asset, "owner">,
): Asset {
  const urn = more.urn ?? `urn:li:${kind}:${PREFIXES[kind]}${newAssetId()}`;
  const expiresAt = state.world.clock.now() + lifeSeconds * 1000;
  const { account, grant } = session;
  const asset = { urn, kind, account, grant, secret: randomToken(12), expiresAt, parts: {}, polls: 0 };
  return state.assets.put(urn, { ...asset, ...more });
}

/** The upload URL for a part of an asset. A secret makes it unguessable. */
export function uploadUrl(call: Call, { urn, secret }: Asset, part: string): string {
  return new URL(`/linkedin/dms-uploads/${encodeURIComponent(urn)}/${part}?sau=${secret}`, call.req.url).href;
}

/**
 * The asset of an upload URL.
 * @throws LinkedInError for an unknown or expired URL
 */
export function assetOfUploadUrl(state: LinkedInState, call: Call): Asset {
  const asset = state.assets.get(call.req.param("urn") ?? "");
  if (!asset || asset.secret !== call.req.query("sau")) throw forbidden("The upload URL is not valid");
  if (asset.expiresAt <= state.world.clock.now()) throw badValue("The upload URL has expired", "EXPIRED_UPLOAD_URL");
  return asset;
}

/**
 * The caller's asset with this URN.
 * @throws LinkedInError if it is unknown or belongs to another member
 */
export function ownAsset(state: LinkedInState, { account }: LinkedInSession, urn: string): Asset {
  const kind = /^urn:li:(image|video|document):/.exec(urn)?.[1];
  if (!kind) throw badValue(`${urn} is not a URN of an image, video or document`, "INVALID_URN_TYPE");
  const asset = state.assets.get(urn);
  if (!asset) throw badValue(`${urn} does not exist`, kind === "video" ? "INVALID_VIDEO_ID" : "INVALID_URN_ID");
  if (asset.account !== account) throw forbidden(`Accessing this ${kind} resource is forbidden`);
  return asset;
}

export function statusOf({ world, switches }: LinkedInState, asset: Asset): Status {
  if (asset.completedAt === undefined) return "WAITING_UPLOAD";
  const age = world.clock.now() - asset.completedAt;
  const isProcessing =
    asset.kind !== "video" ? age < switches.imageSeconds * 1000 : asset.polls < 2 && age < VIDEO_PROCESSING_MS;
  if (isProcessing) return "PROCESSING";
  return asset.problem === undefined ? "AVAILABLE" : "PROCESSING_FAILED";
}

/** @throws LinkedInError unless the asset is ready to be posted */
export function assertUsable(state: LinkedInState, asset: Asset): void {
  const status = statusOf(state, asset);
  if (status === "PROCESSING_FAILED") {
    throw badValue(`The media asset could not be processed: ${asset.problem}`, "MEDIA_ASSET_PROCESSING_FAILED");
  }
  if (status !== "AVAILABLE") throw waitingForUpload();
}

/** Stores a completely uploaded asset. Problems with its content appear only after processing. */
export async function completeUpload(
  state: LinkedInState,
  asset: Asset,
  bytes: Uint8Array,
  mustFail: boolean,
): Promise<Asset> {
  const info = await inspectMedia(bytes);
  const problem = mustFail ? "The asset could not be processed" : findAssetProblem(state, asset, info, bytes);
  return state.assets.put(asset.urn, {
    ...asset,
    file: state.world.blobs.store(bytes, info.type),
    completedAt: state.world.clock.now(),
    ...(problem ? { problem } : {}),
  });
}

const MAX_PAGES = 300;

/** Counts the pages of documents whose objects are not packed. LinkedIn reports a bad document only after processing. */
function findDocumentProblem(type: string, bytes: Uint8Array): string | undefined {
  if (type !== "application/pdf") return "The document is not a PDF";
  const pages =
    Buffer.from(bytes)
      .toString("latin1")
      .match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  return pages > MAX_PAGES ? "The document has too many pages" : undefined;
}

function findAssetProblem(
  { switches }: LinkedInState,
  { kind }: Asset,
  info: Awaited<ReturnType<typeof inspectMedia>>,
  bytes: Uint8Array,
): string | undefined {
  if (kind === "document") return findDocumentProblem(info.type, bytes);
  if (info.kind !== kind) return `The file is not one of the kind ${kind}`;
  if (info.kind === "image") {
    if (info.width * info.height >= 36_152_320) return "The image has too many pixels";
    return info.frames > 250 ? "The animation has too many frames" : undefined;
  }
  if (info.type !== "video/mp4") return "The video is not an MP4";
  const { durationSeconds: seconds, width, height } = info;
  const isOdd = width < 256 || height < 144 || Math.max(width / height, height / width) > 2.4;
  if (switches.refusesOddVideos && isOdd) return "The video's dimensions are not supported";
  return seconds < 3 || seconds > 1800 ? "The video must last from 3 seconds to 30 minutes" : undefined;
}

const URL_SECONDS = 86_400;
const Initialize = z.strictObject({ initializeUploadRequest: z.strictObject({ owner: z.string() }) });

type Whole = "image" | "document";

/** `POST /rest/images?action=initializeUpload`, and the same for documents. */
export const initializeImage = (state: LinkedInState, call: Call) => initializeWhole(state, call, "image");
export const initializeDocument = (state: LinkedInState, call: Call) => initializeWhole(state, call, "document");

async function initializeWhole(state: LinkedInState, call: Call, kind: Whole): Promise<Response> {
  const session = sessionOf(state, call, `${kind}s.ACTION-initializeUpload`);
  if (call.req.query("action") !== "initializeUpload") throw badValue("The action is not known", "ILLEGAL_ARGUMENT");
  const { initializeUploadRequest } = await jsonBody(call, Initialize);
  const { owner } = initializeUploadRequest;
  assertAuthor(session, owner);
  const asset = newAsset(state, session, kind, URL_SECONDS, { owner });
  return call.json({
    value: { uploadUrlExpiresAt: asset.expiresAt, uploadUrl: uploadUrl(call, asset, kind), [kind]: asset.urn },
  });
}

/** `PUT` of an image's bytes, in one request with the member's token. */
export async function putImage(state: LinkedInState, call: Call): Promise<Response> {
  const asset = assetOfUploadUrl(state, call);
  const { account } = requireToken(state, call);
  if (account !== asset.account) throw forbidden("Accessing this image resource is forbidden");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  const type = await typeOf(bytes);
  if (!["image/jpeg", "image/png", "image/gif"].includes(type)) {
    throw new LinkedInError(415, "UNSUPPORTED_MEDIA_TYPE", `The media type ${type} is not supported`);
  }
  await completeUpload(state, asset, bytes, hasFault(call, "processing_fails"));
  return call.body(null, 201);
}

const MAX_DOCUMENT_BYTES = 100 * 1_048_576;

/** `PUT` of a document's bytes, in one request with the member's token. */
export async function putDocument(state: LinkedInState, call: Call): Promise<Response> {
  const asset = assetOfUploadUrl(state, call);
  const { account } = requireToken(state, call);
  if (account !== asset.account) throw forbidden("Accessing this document resource is forbidden");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new LinkedInError(413, "REQUEST_ENTITY_TOO_LARGE", "The document is too large");
  await completeUpload(state, asset, bytes, hasFault(call, "processing_fails"));
  return call.body(null, 201);
}

/** `GET /rest/images/{urn}`, or `/rest/documents/{urn}`: normally rejected, because tokens of members may only post. */
export function imageStatus(state: LinkedInState, call: Call): Response {
  const session = sessionOf(state, call, "images.GET");
  const asset = ownAsset(state, session, urnIn(call));
  if (!state.switches.imagesReadable) throw noPermission("images.GET");
  assertKnown(call, asset);
  return call.json({ owner: asset.owner, id: asset.urn, status: statusOf(state, asset) });
}

/** With the fault `file_unknown`, the server that is asked does not know a new file yet. */
export function assertKnown(call: Call, { urn }: Asset): void {
  if (hasFault(call, "file_unknown")) throw new LinkedInError(404, "NOT_FOUND", `Could not find entity ${urn}`);
}

const MECHANISM = "com.linkedin.digitalmedia.uploading.MediaUploadHttpRequest";

const Register = z.strictObject({
  registerUploadRequest: z.strictObject({
    recipes: z.tuple([
      z.templateLiteral(["urn:li:digitalmediaRecipe:", z.enum(["feedshare-image", "feedshare-video"])]),
    ]),
    owner: z.string(),
    serviceRelationships: z.tuple([
      z.strictObject({ relationshipType: z.literal("OWNER"), identifier: z.literal("urn:li:userGeneratedContent") }),
    ]),
    supportedUploadMechanism: z.array(z.literal("SYNCHRONOUS_UPLOAD")).optional(),
  }),
});

/**
 * `POST /v2/assets?action=registerUpload`: the older way to upload, for `/v2/ugcPosts`.
 * Source: learn.microsoft.com, Share on LinkedIn.
 */
export async function registerUpload(state: LinkedInState, call: Call): Promise<Response> {
  const session = unversionedSessionOf(state, call, "assets.ACTION-registerUpload");
  if (call.req.query("action") !== "registerUpload") throw badValue("The action is not known", "ILLEGAL_ARGUMENT");
  const { recipes, owner } = (await jsonBody(call, Register)).registerUploadRequest;
  assertAuthor(session, owner);
  const kind = recipes[0].endsWith("-video") ? "video" : "image";
  const urn = `urn:li:digitalmediaAsset:C4E22AQ${newAssetId()}`;
  const asset = newAsset(state, session, kind, URL_SECONDS, { owner, urn });
  const uploadMechanism = { [MECHANISM]: { headers: {}, uploadUrl: uploadUrl(call, asset, "asset") } };
  return call.json({
    value: { uploadMechanism, mediaArtifact: `urn:li:digitalmediaMediaArtifact:(${urn})`, asset: urn },
  });
}

/** The bytes of such an asset with the member's token. LinkedIn's sample sends `PUT`, a service in production `POST`. */
export async function putAsset(state: LinkedInState, call: Call): Promise<Response> {
  const asset = assetOfUploadUrl(state, call);
  if (requireToken(state, call).account !== asset.account) throw forbidden("Accessing this asset is forbidden");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  await completeUpload(state, asset, bytes, hasFault(call, "processing_fails"));
  return call.body(null, 201);
}

/** The uploaded assets of an older post. A video may still be processed: LinkedIn then shows the post later. */
export function registeredAsset(state: LinkedInState, { account }: LinkedInSession, urn: string): Asset {
  const asset = state.assets.get(urn);
  if (!asset || !urn.startsWith("urn:li:digitalmediaAsset:")) throw badValue(`${urn} does not exist`, "INVALID_URN_ID");
  if (asset.account !== account) throw forbidden("Accessing this asset is forbidden");
  if (asset.completedAt === undefined) throw waitingForUpload();
  if (asset.problem)
    throw badValue(`The media asset could not be processed: ${asset.problem}`, "MEDIA_ASSET_PROCESSING_FAILED");
  return asset;
}
