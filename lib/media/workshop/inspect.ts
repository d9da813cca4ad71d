import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";
import { inspectImage } from "./inspect-image";
import { inspectVideo } from "./inspect-video";

const IMAGES = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif", "image/tiff"]);
/** What a signature says, and what we call it. */
const VIDEOS: { [found: string]: string } = {
  "video/mp4": "video/mp4",
  "video/quicktime": "video/quicktime",
  "video/webm": "video/webm",
  "video/matroska": "video/x-matroska",
  "video/x-matroska": "video/x-matroska",
};
/**
 * What `lookAt` has done in a process of its own.
 * @throws UnusableFile
 */
export async function inspectInProcess(path: string): Promise<InspectedFile> {
  const found = (await fileTypeFromFile(path))?.mime;
  // XML is told by its prologue alone: what it holds stands behind that.
  const type = found && found !== "application/xml" ? found : await textType(path);
  if (IMAGES.has(type)) return inspectImage(path, type);
  const video = VIDEOS[type];
  if (video) return inspectVideo(path, video);
  const message = `file is neither an image nor a video that can be published: the type found is ${type}`;
  throw new UnusableFile("unsupported", message);
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
