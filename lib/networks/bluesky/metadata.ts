import { PNG_SIGNATURE, withoutPngMetadata, withoutWebpMetadata } from "./chunks";
import { orientationOf, orientationOnly } from "./exif";

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
