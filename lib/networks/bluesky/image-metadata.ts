const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const PNG_METADATA = ["eXIf", "tEXt", "zTXt", "iTXt", "tIME"];

/** Format: PNG (W3C, third edition), section 5: chunks of length, type, data and checksum. */
function withoutPngMetadata(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, PNG_SIGNATURE.length)];
  let orientation = 1;
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "eXIf") orientation = orientationOf(bytes.subarray(at + 8, end - 4)) ?? orientation;
    if (!PNG_METADATA.includes(type)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  // The header chunk must come first.
  if (orientation !== 1) kept.splice(2, 0, pngChunk("eXIf", orientationOnly(orientation)));
  return Buffer.concat([...kept, bytes.subarray(at)]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** The checksum of PNG, annex D. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const [EXIF_FLAG, XMP_FLAG] = [0x08, 0x04];

/** Format: WebP (RFC 9649, section 2): chunks of type, length and padded data; the first chunk has flags for the others. */
function withoutWebpMetadata(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  let orientation = 1;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    const type = bytes.toString("latin1", at, at + 4);
    if (type === "EXIF") orientation = orientationOf(tiffIn(bytes.subarray(at + 8, end))) ?? orientation;
    if (type !== "EXIF" && type !== "XMP ") kept.push(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  const [first] = kept;
  if (first?.toString("latin1", 0, 4) !== "VP8X") return bytes; // the simple format has no metadata
  const isTurned = orientation !== 1;
  first.writeUInt8((first.readUInt8(8) & ~(EXIF_FLAG | XMP_FLAG)) | (isTurned ? EXIF_FLAG : 0), 8);
  if (isTurned) kept.push(webpChunk("EXIF", orientationOnly(orientation)));
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...kept]);
  return webpChunk("RIFF", body);
}

/** Some programs write JPEG's EXIF header before the TIFF data. */
function tiffIn(data: Buffer): Buffer {
  return data.toString("latin1", 0, 6) === "Exif\0\0" ? data.subarray(6) : data;
}

/** `data` must have an even length. */
function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

/** Reads the orientation, tag 0x0112 of a TIFF's first directory (Exif 3.0, section 4.6.2); undefined if absent. */
function orientationOf(tiff: Buffer): number | undefined {
  if (tiff.length < 8) return undefined;
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return undefined;
  for (let entry = 0; entry < short(first); entry++) {
    const at = first + 2 + entry * 12;
    if (at + 12 > tiff.length) return undefined;
    if (short(at) === 0x0112) return short(at + 8);
  }
  return undefined;
}

/** Builds a TIFF that contains only the orientation. */
function orientationOnly(orientation: number): Buffer {
  const head = Buffer.from("49492a00080000000100", "hex");
  const entry = Buffer.from("120103000100000000000000" + "00000000", "hex");
  entry.writeUInt16LE(orientation, 8);
  return Buffer.concat([head, entry]);
}

const SOI = 2;
const [APP1, APP13, COMMENT, SCAN] = [0xe1, 0xed, 0xfe, 0xda];

/**
 * Removes the metadata of a JPEG, PNG or WebP file (place, device, comments), because Bluesky serves the original bytes. The
 * pixels and the orientation are kept. Other files are returned unchanged.
 */
export function withoutMetadata(bytes: Buffer): Buffer {
  if (bytes.readUInt16BE(0) === 0xffd8) return withoutJpegMetadata(bytes);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return withoutPngMetadata(bytes);
  const isWebp = bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
  return isWebp ? withoutWebpMetadata(bytes) : bytes;
}

function withoutJpegMetadata(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, SOI)];
  let orientation = 1;
  let at = SOI;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SCAN) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, end);
    if (marker === APP1 && segment.toString("latin1", 4, 10) === "Exif\0\0")
      orientation = orientationOf(segment.subarray(10)) ?? orientation;
    if (![APP1, APP13, COMMENT].includes(marker)) kept.push(segment);
    at = end;
  }
  if (orientation !== 1) kept.splice(1, 0, exifSegment(orientation));
  return Buffer.concat([...kept, bytes.subarray(at)]);
}

/** Builds the EXIF segment with the orientation. */
function exifSegment(orientation: number): Buffer {
  return Buffer.concat([Buffer.from("ffe1002245786966" + "0000", "hex"), orientationOnly(orientation)]);
}
