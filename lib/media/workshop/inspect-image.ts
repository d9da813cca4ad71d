import { open } from "node:fs/promises";
import sharp, { type Metadata } from "sharp";
import { corruptFile, UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";
import { pictureBoxesProblem } from "./boxes";
import { type FileWindow, withFileWindow } from "./file-window";

/** Browsers use 100 ms for a frame whose duration is missing or at most 10 ms. */
const UNSAID_MS = 100;
const NEXT_TO_NONE_MS = 10;

/** Returns how long each frame of an animation is shown, in milliseconds, as in browsers. */
export function frameDurationsMs({ delay = [], pages = 1 }: Pick<Metadata, "delay" | "pages">): number[] {
  const said = delay.slice(0, pages);
  const all = [...said, ...Array.from({ length: pages - said.length }, () => UNSAID_MS)];
  return all.map((ms) => (ms <= NEXT_TO_NONE_MS ? UNSAID_MS : ms));
}

/** Returns the duration of one round of an animation, in seconds. */
export function animationSeconds(header: Pick<Metadata, "delay" | "pages">): number {
  return frameDurationsMs(header).reduce((sum, ms) => sum + ms, 0) / 1000;
}

const MAX_SIDE = 16_384;
const MAX_PIXELS = 100_000_000;
const MAX_FRAMES = 300;
/** The limit for all frames together. It allows 300 frames at 1080p. */
const MAX_ANIMATION_PIXELS = 1_000_000_000;
/** Longer than the largest picture takes. A file that was made to be slow is rejected. */
const DECODE_SECONDS = 20;
const THUMBNAIL_SIDE = 320;
const PLACEHOLDER_SIDE = 16;
const GIF_TRAILER = 0x3b;

/**
 * Decodes an image in full. Its size is checked first, so that a picture that is too large is rejected before any pixel is
 * decoded.
 * @throws UnusableFile
 */
export async function inspectImage(path: string, type: string): Promise<InspectedFile> {
  const many = await imagePartsProblem(path, type);
  if (many) throw corruptFile(type, many);
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

/** Returns the number of frames of an animation. The pages of a TIFF do not count. */
function framesOf({ format, pages = 1 }: Metadata): number {
  return format === "gif" || format === "webp" ? pages : 1;
}

function assertSize(header: Metadata, type: string): void {
  const { width, height } = header;
  const frames = framesOf(header);
  const found = `(the type found is ${type})`;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    const size = `${width} x ${height} pixels, at most 100 megapixels and ${MAX_SIDE} a side`;
    throw new UnusableFile("corrupt", `file is a picture that is too large: ${size} ${found}`);
  }
  if (frames > MAX_FRAMES || width * height * frames > MAX_ANIMATION_PIXELS) {
    const size = `${frames} frames of ${width} x ${height} pixels, at most ${MAX_FRAMES} and 1,000 megapixels together`;
    throw new UnusableFile("corrupt", `file is an animation that is too long: ${size} ${found}`);
  }
}

/**
 * metadata() trusts the header; only decoding shows whether the picture is complete. The thumbnail is made from every row,
 * read in order without holding the whole picture, so one pass does both.
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

/** Decodes the other frames of an animation, each reduced to a small size at once. */
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

/** More than any scanned document has. Only the first page of a TIFF is used. */
const MAX_TIFF_PAGES = 1_000;
/** An animation has two chunks per frame, and at most 300 frames are accepted. */
const MAX_WEBP_CHUNKS = 10_000;

/**
 * Returns the problem of a picture whose decoder would take longer for each of its parts than for the one before: the boxes
 * of an AVIF, the pages of a TIFF, the chunks of a WebP. The decoders of the other types take linear time.
 */
async function imagePartsProblem(path: string, type: string): Promise<string | undefined> {
  if (type === "image/avif") return pictureBoxesProblem(path);
  if (type === "image/tiff") return withFileWindow(path, tiffProblem);
  return type === "image/webp" ? withFileWindow(path, webpProblem) : undefined;
}

/** Follows the chain of image file directories (TIFF 6.0, section 2; BigTIFF has 64-bit counts and offsets). */
async function tiffProblem(file: FileWindow): Promise<string | undefined> {
  const head = Buffer.from(await file.read(0, 16));
  if (head.length < 16) return undefined;
  const isLittle = head.toString("latin1", 0, 2) === "II";
  const isBig = numberIn(head.subarray(2, 4), isLittle) === 43;
  const [countBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  let at = numberIn(isBig ? head.subarray(8, 16) : head.subarray(4, 8), isLittle);
  for (let pages = 0; at > 0 && at < file.sizeBytes; pages += 1) {
    if (pages === MAX_TIFF_PAGES) return `it has more than ${MAX_TIFF_PAGES.toLocaleString("en")} pages`;
    const entries = numberIn(await file.read(at, countBytes), isLittle);
    at = numberIn(await file.read(at + countBytes + entries * entryBytes, offsetBytes), isLittle);
  }
  return undefined;
}

/** Counts the chunks (RFC 9649, section 2.3: RIFF). */
async function webpProblem(file: FileWindow): Promise<string | undefined> {
  let chunks = 0;
  for (let at = 12; at + 8 <= file.sizeBytes; chunks += 1) {
    if (chunks === MAX_WEBP_CHUNKS) return `it has more than ${MAX_WEBP_CHUNKS.toLocaleString("en")} chunks`;
    const size = numberIn((await file.read(at + 4, 4)).subarray(0, 4), true);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Reads an unsigned number of any length. Above 2^53 it is inexact, and then beyond the end of any file. */
function numberIn(bytes: Buffer, isLittle: boolean): number {
  const ordered = isLittle ? Buffer.from(bytes).reverse() : bytes;
  return ordered.reduce((sum, byte) => sum * 256 + byte, 0);
}
