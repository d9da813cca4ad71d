/** Reads the orientation, tag 0x0112 of a TIFF's first directory (Exif 3.0, section 4.6.2); undefined if absent. */
export function orientationOf(tiff: Buffer): number | undefined {
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
export function orientationOnly(orientation: number): Buffer {
  const head = Buffer.from("49492a00080000000100", "hex");
  const entry = Buffer.from("120103000100000000000000" + "00000000", "hex");
  entry.writeUInt16LE(orientation, 8);
  return Buffer.concat([head, entry]);
}
