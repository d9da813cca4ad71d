import { createHash } from "node:crypto";
import { inspectMedia } from "../core/media";
import type { Call } from "../core/network";
import { assertBlob, authenticate } from "./access";
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

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
const [RAW, DAG_CBOR] = [0x55, 0x71];

/** The CID of a file: version 1, SHA-256, base32 (atproto.com/specs/data-model, "link"). */
export function cidOfBytes(bytes: Uint8Array): string {
  return text(cid(RAW, bytes));
}

/** The CID of a record, derived from its content. */
export function cidOfRecord(record: unknown): string {
  return text(cid(DAG_CBOR, encode(record)));
}

/** Whether a string has the form of a CID. */
export function isCid(value: string): boolean {
  return /^baf[yk]rei[a-z2-7]{52}$/.test(value);
}

function cid(codec: number, bytes: Uint8Array): Uint8Array {
  const digest = createHash("sha256").update(bytes).digest();
  return Buffer.concat([Buffer.from([1, codec, 0x12, 32]), digest]);
}

/** Base32 in lower case without padding (RFC 4648, section 6), with the multibase prefix `b`. */
function text(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return `b${groups.map((group) => LETTERS[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")}`;
}

function bytesOf(link: string): Uint8Array {
  const bits = [...link.slice(1)].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** DAG-CBOR (ipld.io/specs/codecs/dag-cbor): keys sorted by length, then by bytes; links as tag 42. Integers only. */
function encode(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xf6]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xf5 : 0xf4]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)]);
  const fields = Object.entries(value as object).filter(([, field]) => field !== undefined); // only objects are left in JSON
  const link = fields.length === 1 && fields[0]?.[0] === "$link" ? String(fields[0][1]) : undefined;
  if (link) {
    const bytes = Buffer.concat([Buffer.from([0]), bytesOf(link)]);
    return Buffer.concat([head(6, 42), head(2, bytes.length), bytes]);
  }
  const sorted = fields
    .map(([key, field]) => ({ key: Buffer.from(key), field }))
    .sort((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key));
  return Buffer.concat([
    head(5, sorted.length),
    ...sorted.flatMap(({ key, field }) => [head(3, key.length), key, encode(field)]),
  ]);
}

function head(major: number, value: number): Buffer {
  const kind = major << 5;
  if (value < 24) return Buffer.from([kind | value]);
  if (value < 0x100) return Buffer.from([kind | 24, value]);
  if (value < 0x1_0000) return Buffer.from([kind | 25, value >> 8, value & 0xff]);
  const wide = Buffer.alloc(value <= 0xffff_ffff ? 5 : 9);
  wide[0] = kind | (value <= 0xffff_ffff ? 26 : 27);
  if (value <= 0xffff_ffff) wide.writeUInt32BE(value, 1);
  else wide.writeBigUInt64BE(BigInt(value), 1);
  return wide;
}
