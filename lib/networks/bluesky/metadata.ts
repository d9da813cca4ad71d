const SOI = 2;
const [APP1, APP13, COMMENT, SCAN] = [0xe1, 0xed, 0xfe, 0xda];

/**
 * A JPEG without what its camera and programs wrote into it (place, device, comments): Bluesky hands out the bytes that it
 * was given. Pixels stay as they are, and the way up is kept. Anything that is no JPEG comes back unchanged.
 */
export function withoutMetadata(bytes: Buffer): Buffer {
  if (bytes.readUInt16BE(0) !== 0xffd8) return bytes;
  const kept = [bytes.subarray(0, SOI)];
  let orientation = 1;
  let at = SOI;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SCAN) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, end);
    if (marker === APP1) orientation = orientationOf(segment) ?? orientation;
    if (![APP1, APP13, COMMENT].includes(marker)) kept.push(segment);
    at = end;
  }
  if (orientation !== 1) kept.splice(1, 0, orientationOnly(orientation));
  return Buffer.concat([...kept, bytes.subarray(at)]);
}

/** Tag 0x0112 of the first directory (Exif 3.0, section 4.6.2); undefined where there is none. */
function orientationOf(segment: Buffer): number | undefined {
  if (segment.toString("latin1", 4, 10) !== "Exif\0\0" || segment.length < 18) return undefined;
  const tiff = segment.subarray(10);
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

/** A whole Exif segment that says which way up, and nothing else. */
function orientationOnly(orientation: number): Buffer {
  const head = Buffer.from("ffe1002245786966000049492a00080000000100", "hex");
  const entry = Buffer.from("120103000100000000000000" + "00000000", "hex");
  entry.writeUInt16LE(orientation, 8);
  return Buffer.concat([head, entry]);
}
