import { open } from "node:fs/promises";
import sharp, { type Metadata } from "sharp";
import { corruptFile, UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";

/** What browsers make of a picture that is said to stand for no time or for next to none. */
const UNSAID_MS = 100;
const NEXT_TO_NONE_MS = 10;

/** How long each picture of an animation stands, in milliseconds, as browsers play it. */
export function frameDurationsMs({ delay = [], pages = 1 }: Pick<Metadata, "delay" | "pages">): number[] {
  const said = delay.slice(0, pages);
  const all = [...said, ...Array.from({ length: pages - said.length }, () => UNSAID_MS)];
  return all.map((ms) => (ms <= NEXT_TO_NONE_MS ? UNSAID_MS : ms));
}

/** How long one round of an animation takes. */
export function animationSeconds(header: Pick<Metadata, "delay" | "pages">): number {
  return frameDurationsMs(header).reduce((sum, ms) => sum + ms, 0) / 1000;
}

const MAX_SIDE = 16_384;
const MAX_PIXELS = 100_000_000;
const MAX_FRAMES = 300;
/** Of all frames together: 300 of them at 1080p fit. */
const MAX_ANIMATION_PIXELS = 1_000_000_000;
/** Longer than the largest picture takes; a file made to be slow is refused. */
const DECODE_SECONDS = 20;
const THUMBNAIL_SIDE = 320;
const PLACEHOLDER_SIDE = 16;
const GIF_TRAILER = 0x3b;

/**
 * Decodes an image whole, the header's size first: what is too large is refused before a pixel is decoded.
 * @throws UnusableFile
 */
export async function inspectImage(path: string, type: string): Promise<InspectedFile> {
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header?.width || !header.height) throw corruptFile(type);
  assertSize(header, type);
  if (type === "image/gif" && (await lastByte(path)) !== GIF_TRAILER) throw corruptFile(type);
  const small = await smallPictures(path).catch(() => Promise.reject(corruptFile(type)));
  if (framesOf(header) > 1) await decodeFrames(path, framesOf(header)).catch(() => Promise.reject(corruptFile(type)));
  const orientation = header.orientation ?? 1;
  const frames = framesOf(header);
  const [width, height] = orientation >= 5 ? [header.height, header.width] : [header.width, header.height];
  return {
    contentType: type,
    width,
    height,
    ...(frames > 1 ? { durationSeconds: animationSeconds(header) } : {}),
    thumbnail: small.thumbnail,
    details: {
      ...(orientation > 1 ? { orientation } : {}),
      ...(frames > 1 ? { frames } : {}),
      placeholder: small.placeholder,
      hasThumbnail: true,
    },
  };
}

/** Of an animation; the pages of a TIFF are none. */
function framesOf({ format, pages = 1 }: Metadata): number {
  return format === "gif" || format === "webp" ? pages : 1;
}

function assertSize(header: Metadata, type: string): void {
  const { width, height } = header;
  const frames = framesOf(header);
  const found = `(the type found is ${type})`;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    const size = `${width} x ${height} pixels, at most 100 megapixels and ${MAX_SIDE} a side`;
    throw new UnusableFile("corrupt", `file is too large a picture: ${size} ${found}`);
  }
  if (frames > MAX_FRAMES || width * height * frames > MAX_ANIMATION_PIXELS) {
    const size = `${frames} frames of ${width} x ${height} pixels, at most ${MAX_FRAMES} and 1,000 megapixels together`;
    throw new UnusableFile("corrupt", `file is too long an animation: ${size} ${found}`);
  }
}

/**
 * metadata() believes the header; only decoding tells whether the picture is all there. The thumbnail is made of every row of
 * it, read in order and never held whole, so that one pass does both.
 */
async function smallPictures(path: string): Promise<{ thumbnail: Buffer; placeholder: string }> {
  const inside = { fit: "inside", withoutEnlargement: true } as const;
  const thumbnail = await sharp(path, { failOn: "warning", limitInputPixels: MAX_PIXELS, sequentialRead: true })
    .autoOrient()
    .timeout({ seconds: DECODE_SECONDS })
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { ...inside, fastShrinkOnLoad: false })
    .webp({ quality: 75 })
    .toBuffer();
  const tiny = await sharp(thumbnail)
    .resize(PLACEHOLDER_SIDE, PLACEHOLDER_SIDE, inside)
    .webp({ quality: 40 })
    .toBuffer();
  return { thumbnail, placeholder: `data:image/webp;base64,${tiny.toString("base64")}` };
}

/** The other frames of an animation, each made small at once. */
async function decodeFrames(path: string, frames: number): Promise<void> {
  const limitInputPixels = MAX_ANIMATION_PIXELS;
  await sharp(path, { failOn: "warning", limitInputPixels, pages: frames, sequentialRead: true })
    .timeout({ seconds: DECODE_SECONDS })
    .resize(PLACEHOLDER_SIDE, PLACEHOLDER_SIDE, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 40 })
    .toBuffer();
}

async function lastByte(path: string): Promise<number | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return buffer[0];
  } finally {
    await file.close();
  }
}
