import { inspectMedia } from "../core/media";
import type { Call } from "../core/network";
import { assertBlob, authenticate } from "./access";
import { cidOfBytes } from "./cid";
import { invalidRequest, XrpcError } from "./errors";
import { assertDataServer } from "./identity";
import type { BlueskyState, StoredBlob } from "./state";

/** docs.bsky.app, "Blob upload" of Bluesky's own servers. */
const MAX_BYTES = 52_428_800;
/** A blob that no record refers to is deleted after some hours. */
const UNHELD_SECONDS = 6 * 3600;

/** `com.atproto.repo.uploadBlob`: raw bytes. The server detects their type itself. */
export async function uploadBlob(state: BlueskyState, call: Call): Promise<Response> {
  const access = await authenticate(state, call);
  assertDataServer(call, access.did);
  const declared = call.req.header("content-type")?.split(";")[0] ?? "";
  if (!declared) throw invalidRequest("Request encoding (Content-Type) required but not provided");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw new XrpcError(413, "PayloadTooLarge", "request entity too large");
  const info = await inspectMedia(bytes);
  const mimeType = info.type === "application/octet-stream" ? declared : info.type;
  if (access.scopes) assertBlob(access.scopes, declared);
  return call.json({ blob: blobOf(storeBlob(state, access.did, bytes, mimeType)) });
}

/** Stores a blob by its CID, so the same bytes are stored once per account. */
export function storeBlob(state: BlueskyState, did: string, bytes: Uint8Array, mimeType: string): StoredBlob {
  const cid = cidOfBytes(bytes);
  const isHeld = state.blobs.get(`${did}/${cid}`)?.isHeld ?? false;
  const file = state.world.blobs.store(bytes, mimeType);
  return state.blobs.put(`${did}/${cid}`, { did, cid, mimeType, file, storedAt: state.world.clock.now(), isHeld });
}

export function blobOf({ cid, mimeType, file }: StoredBlob) {
  return { $type: "blob", ref: { $link: cid }, mimeType, size: file.sizeBytes };
}

/** The stored blobs that a record refers to. */
export function blobsOf(state: BlueskyState, did: string, record: unknown): StoredBlob[] {
  return namedIn(record).map(({ ref, mimeType, size }) => {
    const stored = state.blobs.get(`${did}/${ref.$link}`);
    const isDropped = stored && !stored.isHeld && stored.storedAt + UNHELD_SECONDS * 1000 <= state.world.clock.now();
    if (!stored || isDropped) throw invalidRequest(`Could not find blob: ${ref.$link}`, "BlobNotFound");
    if (stored.mimeType !== mimeType)
      throw invalidRequest(
        `Referenced Mimetype does not match stored blob. Expected: ${stored.mimeType}, Got: ${mimeType}`,
        "InvalidMimeType",
      );
    if (stored.file.sizeBytes !== size)
      throw invalidRequest(
        `Referenced Size does not match stored blob. Expected: ${stored.file.sizeBytes}, Got: ${size}`,
        "InvalidSize",
      );
    return stored;
  });
}

type Named = { $type: "blob"; ref: { $link: string }; mimeType: string; size: number };

function namedIn(value: unknown): Named[] {
  if (typeof value !== "object" || value === null) return [];
  if ("$type" in value && value.$type === "blob") return [value as Named]; // the record has passed the lexicon check
  return Object.values(value).flatMap(namedIn);
}

/** `com.atproto.sync.getBlob` */
export function getBlob(state: BlueskyState, call: Call): Response {
  const stored = state.blobs.get(`${call.req.query("did")}/${call.req.query("cid")}`);
  const bytes = stored?.isHeld ? state.world.blobs.read(stored.file.sha256) : undefined;
  if (!stored || !bytes) throw invalidRequest("Blob not found", "BlobNotFound");
  return call.body(new Uint8Array(bytes), 200, { "content-type": stored.mimeType });
}
