import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from "mediabunny";
import sharp from "sharp";

/** What the bytes themselves say. Sizes in pixels as shown (orientation applied), whole seconds. */
export type Look = { contentType: string; width?: number; height?: number; durationSeconds?: number };

const IMAGES = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif", "image/tiff"]);
const VIDEOS = new Set(["video/mp4", "video/quicktime", "video/webm", "video/matroska", "video/x-matroska"]);
const MAX_SIDE = 16_384;
const MAX_PIXELS = 100_000_000;
const GIF_TRAILER = 0x3b;

/** Why a file cannot be used, as the end of a sentence that begins with what it is. */
export class UnusableFile extends Error {}

/**
 * Tells the type from the bytes and checks that they really are what they claim: an image is decoded whole, a video's
 * container is opened and must hold a picture track with a duration.
 * @throws UnusableFile naming the type found
 */
export async function lookAt(path: string): Promise<Look> {
  const found = (await fileTypeFromFile(path))?.mime;
  // XML is told by its prologue alone: what it holds stands behind that.
  const type = found && found !== "application/xml" ? found : await textType(path);
  if (IMAGES.has(type)) return { contentType: type, ...(await lookAtImage(path, type)) };
  if (VIDEOS.has(type)) {
    return { contentType: type === "video/matroska" ? "video/x-matroska" : type, ...(await lookAtVideo(path)) };
  }
  throw new UnusableFile(`file is neither an image nor a video that can be published: the type found is ${type}`);
}

async function lookAtImage(path: string, type: string) {
  const image = () =>
    sharp(path, { failOn: "warning", limitInputPixels: MAX_PIXELS, pages: type === "image/gif" ? -1 : 1 });
  const corrupt = () => new UnusableFile(`file is corrupt or incomplete: the type found is ${type}`);
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header?.width || !header.height) throw corrupt();
  if (header.width > MAX_SIDE || header.height > MAX_SIDE || header.width * header.height > MAX_PIXELS) {
    throw new UnusableFile(
      `file is too large a picture: ${header.width} x ${header.height} pixels, at most 100 megapixels and ${MAX_SIDE} a side (the type found is ${type})`,
    );
  }
  // metadata() believes the header; only decoding tells whether the picture is all there.
  await image()
    .stats()
    .catch(() => Promise.reject(corrupt()));
  if (type === "image/gif" && (await lastByte(path)) !== GIF_TRAILER) throw corrupt();
  const turned = (header.orientation ?? 1) >= 5;
  return turned ? { width: header.height, height: header.width } : { width: header.width, height: header.height };
}

async function lookAtVideo(path: string) {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM, MATROSKA] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const seconds = await input.computeDuration();
    if (!track || !(seconds > 0)) throw new Error("no picture track");
    return { width: track.displayWidth, height: track.displayHeight, durationSeconds: Math.ceil(seconds) };
  } catch {
    throw new UnusableFile("file is corrupt or incomplete: the type found is a video whose container cannot be read");
  } finally {
    input.dispose();
  }
}

/** What a file without a signature calls itself in its first bytes, so that a refusal can name it. */
async function textType(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    const head = buffer
      .subarray(0, bytesRead)
      .toString("latin1")
      .replace(/^\xef\xbb\xbf/, "")
      .trimStart()
      .toLowerCase();
    if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg/.test(head)) return "image/svg+xml";
    if (/^(<!doctype html|<html|<head|<script)/.test(head)) return "text/html";
    if (head.startsWith("#extm3u")) return "application/vnd.apple.mpegurl";
    if (head.startsWith("<?xml")) return "application/xml";
    return head.includes("\0") || head === "" ? "application/octet-stream" : "text/plain";
  } finally {
    await file.close();
  }
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
