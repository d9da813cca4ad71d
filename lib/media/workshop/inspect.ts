import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";
import { inspectImage } from "./inspect-image";
import { inspectPdf } from "./inspect-pdf";
import { inspectVideo } from "./inspect-video";

const IMAGES = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif", "image/tiff"]);
/** Detected types and our names for them. */
const VIDEOS: { [found: string]: string } = {
  "video/mp4": "video/mp4",
  "video/quicktime": "video/quicktime",
  "video/webm": "video/webm",
  "video/matroska": "video/x-matroska",
  "video/x-matroska": "video/x-matroska",
};
/**
 * The implementation of `inspectFile`, which runs in the workshop process.
 * @throws UnusableFile
 */
export async function inspectInProcess(path: string): Promise<InspectedFile> {
  const found = (await fileTypeFromFile(path))?.mime;
  // For XML only the prologue is detected; the content that follows decides the type.
  const type = found && found !== "application/xml" ? found : await textType(path);
  if (IMAGES.has(type)) return inspectImage(path, type);
  const video = VIDEOS[type];
  if (video) return inspectVideo(path, video);
  if (type === "application/pdf") return inspectPdf(path);
  const message = `file is neither an image, a video nor a PDF that can be published: the type found is ${type}`;
  throw new UnusableFile("unsupported", message);
}

/** Guesses the type of a file without a signature from its first bytes, so that an error can name it. */
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
