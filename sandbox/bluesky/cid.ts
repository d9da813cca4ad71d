import { createHash } from "node:crypto";

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
