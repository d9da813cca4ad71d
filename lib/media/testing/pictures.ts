import sharp, { type Sharp } from "sharp";

/** Noise cannot be predicted from earlier pixels, so a cut file is really missing something. */
const noise = (channels: 3 | 4 = 3): Sharp => {
  const image = sharp({
    create: {
      width: 211,
      height: 157,
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
  return channels === 4 ? image.ensureAlpha(0.5) : image;
};

/** An animation in which every frame differs from the one before. */
function animation(): Sharp {
  const [side, count] = [32, 5];
  const pixels = Buffer.alloc(side * side * count * 3).map((_, i) => (i * i * 31) % 251);
  return sharp(pixels, { raw: { width: side, height: side * count, channels: 3, pageHeight: side } });
}

/** One file for each variant of the accepted types, with its type. */
export const pictures: [what: string, type: string, make: () => Promise<Buffer>][] = [
  ["a JPEG", "image/jpeg", () => noise().jpeg().toBuffer()],
  ["a progressive JPEG", "image/jpeg", () => noise().jpeg({ progressive: true }).toBuffer()],
  ["a JPEG with colours in full", "image/jpeg", () => noise().jpeg({ chromaSubsampling: "4:4:4" }).toBuffer()],
  ["a grey JPEG", "image/jpeg", () => noise().greyscale().jpeg().toBuffer()],
  ["a CMYK JPEG", "image/jpeg", () => noise().toColourspace("cmyk").jpeg().toBuffer()],
  ["a PNG", "image/png", () => noise().png().toBuffer()],
  ["an interlaced PNG", "image/png", () => noise().png({ progressive: true }).toBuffer()],
  ["a transparent PNG", "image/png", () => noise(4).png().toBuffer()],
  ["a PNG with a palette", "image/png", () => noise().png({ palette: true }).toBuffer()],
  ["a PNG of 16 bits", "image/png", () => noise().toColourspace("rgb16").png().toBuffer()],
  ["a WebP", "image/webp", () => noise().webp().toBuffer()],
  ["a WebP without loss", "image/webp", () => noise().webp({ lossless: true }).toBuffer()],
  ["an animated WebP", "image/webp", () => animation().webp().toBuffer()],
  ["a GIF", "image/gif", () => noise().gif().toBuffer()],
  ["an animated GIF", "image/gif", () => animation().gif().toBuffer()],
  ["an AVIF", "image/avif", () => noise().avif({ effort: 0 }).toBuffer()],
  ["a TIFF", "image/tiff", () => noise().tiff({ compression: "lzw" }).toBuffer()],
  ["a TIFF in tiles", "image/tiff", () => noise().tiff({ tile: true, compression: "deflate" }).toBuffer()],
];

/** An animated GIF of plain colours with durations in milliseconds; `transparent` is a fully transparent frame. */
export async function gifOf(
  side: number,
  colours: [colour: string, standsMs: number][],
  height = side,
): Promise<Buffer> {
  const frames = await Promise.all(
    colours.map(([background]) =>
      sharp({
        create: { width: side, height, channels: 4, background: background === "transparent" ? "#0000" : background },
      })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: colours.map(([, ms]) => ms) })
    .toBuffer();
}
