import type { MediaDetails } from "../../db";

/** What a codec's own configuration says about the pictures. A field that it does not say is absent. */
export type CodecFacts = Pick<MediaDetails, "chroma" | "bitDepth" | "isInterlaced">;

const CHROMA = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"];
/** The H.264 profiles with fields for chroma and bit depth (ITU-T H.264, 7.3.2.1.1). All others are 4:2:0 with 8 bits. */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/**
 * Reads the facts from the description of H.264 (`avcC`) and H.265 (`hvcC`; both ISO/IEC 14496-15), or from the codec string of
 * VP9 (webmproject.org/vp9/mp4) and AV1 (aomediacodec.github.io/av1-isobmff).
 */
export function codecFacts(codec: string | null, text: string, description: Uint8Array | undefined): CodecFacts {
  if (codec === "avc" && description) return avcFacts(description);
  if (codec === "hevc" && description && description.length > 17) return hevcFacts(description);
  const depth = codec === "vp9" || codec === "av1" ? Number(text.split(".")[3]) : Number.NaN;
  return Number.isInteger(depth) ? { bitDepth: depth } : {};
}

function hevcFacts(description: Uint8Array): CodecFacts {
  const [constraints = 0, chroma = 0, depth = 0] = [description[6], description[16], description[17]];
  // general_interlaced_source_flag without general_progressive_source_flag
  const isInterlaced = (constraints & 0xc0) === 0x40;
  return { ...chromaFact(chroma & 3), bitDepth: 8 + (depth & 7), ...(isInterlaced ? { isInterlaced } : {}) };
}

/** Reads the first sequence parameter set. */
function avcFacts(description: Uint8Array): CodecFacts {
  const length = ((description[6] ?? 0) << 8) | (description[7] ?? 0);
  const unit = description.subarray(8, 8 + length);
  if (unit.length < 5) return {};
  const bits = bitReader(withoutEmulation(unit.subarray(1)));
  const profile = bits.read(8);
  bits.read(16);
  bits.unsigned(); // the set's number
  const { chroma, depth } = HIGH_PROFILES.includes(profile) ? readHighFields(bits) : { chroma: 1, depth: 8 };
  bits.unsigned(); // log2_max_frame_num_minus4
  skipPictureOrder(bits);
  bits.unsigned(); // max_num_ref_frames
  bits.read(1);
  bits.unsigned(); // the width and height in macroblocks
  bits.unsigned();
  const isInterlaced = bits.read(1) === 0; // frame_mbs_only_flag
  if (bits.isOver()) return {};
  return { ...chromaFact(chroma), bitDepth: depth, ...(isInterlaced ? { isInterlaced } : {}) };
}

function chromaFact(format: number): CodecFacts {
  const chroma = CHROMA[format];
  return chroma ? { chroma } : {};
}

type Bits = ReturnType<typeof bitReader>;

function readHighFields(bits: Bits): { chroma: number; depth: number } {
  const chroma = bits.unsigned();
  if (chroma === 3) bits.read(1);
  const depth = 8 + bits.unsigned();
  bits.unsigned(); // the depth of the chroma planes
  bits.read(1);
  if (bits.read(1) === 1) {
    const lists = chroma === 3 ? 12 : 8;
    for (let list = 0; list < lists; list += 1) if (bits.read(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64);
  }
  return { chroma, depth };
}

/** ITU-T H.264, 7.3.2.1.1.1. */
function skipScalingList(bits: Bits, size: number): void {
  let [last, next] = [8, 8];
  for (let at = 0; at < size; at += 1) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256;
    if (next !== 0) last = next;
  }
}

function skipPictureOrder(bits: Bits): void {
  const kind = bits.unsigned();
  if (kind === 0) bits.unsigned();
  if (kind !== 1) return;
  bits.read(1);
  bits.signed();
  bits.signed();
  const cycle = Math.min(bits.unsigned(), 255);
  for (let at = 0; at < cycle; at += 1) bits.signed();
}

/** Removes the byte 3 that follows two zeros, which only separates units (ITU-T H.264, 7.4.1). */
function withoutEmulation(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => !(byte === 3 && at > 1 && bytes[at - 1] === 0 && bytes[at - 2] === 0));
}

/** Reads bits, and the numbers of H.264 (Exp-Golomb codes, 9.1). Beyond the end there are zeros. */
function bitReader(bytes: Uint8Array) {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let n = 0; n < count; n += 1, at += 1) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const unsigned = (): number => {
    let zeros = 0;
    while (zeros < 32 && read(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + read(zeros);
  };
  const signed = (): number => {
    const value = unsigned();
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
  };
  return { read, unsigned, signed, isOver: () => at > bytes.length * 8 };
}
