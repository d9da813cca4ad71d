import { randomToken } from "../core/ids";
import { lookAt } from "../core/look";
import type { Call } from "../core/network";
import { badValue, forbidden, waitingForUpload } from "./errors";
import type { LinkedInSession } from "./session";
import type { Asset, LinkedInState } from "./state";

const VIDEO_PROCESSING_MS = 5_000;

export type Status = "WAITING_UPLOAD" | "PROCESSING" | "AVAILABLE" | "PROCESSING_FAILED";

/** A new image or video of this member, its bytes still to come. */
export function newAsset(
  state: LinkedInState,
  session: LinkedInSession,
  kind: Asset["kind"],
  lifeSeconds: number,
  more: Partial<Asset> = {},
): Asset {
  const urn = `urn:li:${kind}:${kind === "image" ? "D4E10AQ" : "D5F10AQ"}${randomToken(12).replace(/[-_]/g, "x")}`;
  const expiresAt = state.world.clock.now() + lifeSeconds * 1000;
  const { account, grant } = session;
  const asset = { urn, kind, account, grant, secret: randomToken(12), expiresAt, parts: {}, polls: 0 };
  return state.assets.put(urn, { ...asset, ...more });
}

/** Where the bytes go: the asset, which part of it, and a secret that nobody guesses. */
export function uploadUrl(call: Call, { urn, secret }: Asset, part: string): string {
  return new URL(`/linkedin/dms-uploads/${encodeURIComponent(urn)}/${part}?sau=${secret}`, call.req.url).href;
}

/** The asset that an upload address stands for. */
export function assetAt(state: LinkedInState, call: Call): Asset {
  const asset = state.assets.get(call.req.param("urn") ?? "");
  if (!asset || asset.secret !== call.req.query("sau")) throw forbidden("The upload URL is not valid");
  if (asset.expiresAt <= state.world.clock.now()) throw badValue("The upload URL has expired", "EXPIRED_UPLOAD_URL");
  return asset;
}

/** An asset by its URN, which must be the caller's own. */
export function ownAsset(state: LinkedInState, session: LinkedInSession, urn: string): Asset {
  const kind = /^urn:li:(image|video):/.exec(urn)?.[1];
  if (!kind) throw badValue(`${urn} is not a URN of an image or video`, "INVALID_URN_TYPE");
  const asset = state.assets.get(urn);
  if (!asset) throw badValue(`${urn} does not exist`, kind === "video" ? "INVALID_VIDEO_ID" : "INVALID_URN_ID");
  if (asset.account !== session.account) throw forbidden(`Accessing this ${kind} resource is forbidden`);
  return asset;
}

export function statusOf({ world, switches }: LinkedInState, asset: Asset): Status {
  if (asset.completedAt === undefined) return "WAITING_UPLOAD";
  const age = world.clock.now() - asset.completedAt;
  const isWorkedOn =
    asset.kind === "image" ? age < switches.imageSeconds * 1000 : asset.polls < 2 && age < VIDEO_PROCESSING_MS;
  if (isWorkedOn) return "PROCESSING";
  return asset.flaw === undefined ? "AVAILABLE" : "PROCESSING_FAILED";
}

/** Whether a post may show it now. */
export function assertUsable(state: LinkedInState, asset: Asset): void {
  const status = statusOf(state, asset);
  if (status === "PROCESSING_FAILED") {
    throw badValue(`The media asset could not be processed: ${asset.flaw}`, "MEDIA_ASSET_PROCESSING_FAILED");
  }
  if (status !== "AVAILABLE") throw waitingForUpload();
}

/** All bytes are there: what is wrong with them shows only later. */
export async function complete(
  state: LinkedInState,
  asset: Asset,
  bytes: Uint8Array,
  isDoomed: boolean,
): Promise<Asset> {
  const looked = await lookAt(bytes);
  const flaw = isDoomed ? "The asset could not be processed" : flawOf(asset, looked);
  return state.assets.put(asset.urn, {
    ...asset,
    file: state.world.blobs.keep(bytes, looked.type),
    completedAt: state.world.clock.now(),
    ...(flaw ? { flaw } : {}),
  });
}

function flawOf({ kind }: Asset, looked: Awaited<ReturnType<typeof lookAt>>): string | undefined {
  if (looked.kind !== kind) return `The file is not one of the kind ${kind}`;
  if (looked.kind === "image") {
    if (looked.width * looked.height >= 36_152_320) return "The image has too many pixels";
    return looked.frames > 250 ? "The animation has too many frames" : undefined;
  }
  if (looked.type !== "video/mp4") return "The video is not an MP4";
  const { durationSeconds: seconds } = looked;
  return seconds < 3 || seconds > 1800 ? "The video must last from 3 seconds to 30 minutes" : undefined;
}
