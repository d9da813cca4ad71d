import { fileTypeFromFile } from "file-type";
import type { MediaDetails } from "../db";
import { lookAtImage } from "./look-image";
import { lookAtVideo } from "./look-video";
import { textType } from "./text-type";
import { UnusableFile } from "./unusable";

/** What the bytes themselves say. Sizes in pixels as shown (orientation applied), whole seconds. */
export type Look = {
  contentType: string;
  width?: number;
  height?: number;
  durationSeconds?: number;
  details: MediaDetails;
  /** A small WebP; of images only, since nothing here decodes videos. */
  thumbnail?: Buffer;
};

const IMAGES = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif", "image/tiff"]);
/** What a signature says, and what we call it. */
const VIDEOS: { [found: string]: string } = {
  "video/mp4": "video/mp4",
  "video/quicktime": "video/quicktime",
  "video/webm": "video/webm",
  "video/matroska": "video/x-matroska",
  "video/x-matroska": "video/x-matroska",
};
/** Files looked at at a time: each decode may hold tens of megabytes. */
const MOST_AT_ONCE = 2;

let underWay = 0;
const waiting: (() => void)[] = [];

/**
 * Tells the type from the bytes and checks that they really are what they claim: an image is decoded whole, a video's
 * container must be complete and each of its tracks readable to the end.
 * @throws UnusableFile naming the type found
 */
export async function lookAt(path: string): Promise<Look> {
  if (underWay >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  underWay += 1;
  try {
    return await look(path);
  } finally {
    underWay -= 1;
    waiting.shift()?.();
  }
}

async function look(path: string): Promise<Look> {
  const found = (await fileTypeFromFile(path))?.mime;
  // XML is told by its prologue alone: what it holds stands behind that.
  const type = found && found !== "application/xml" ? found : await textType(path);
  if (IMAGES.has(type)) return lookAtImage(path, type);
  const video = VIDEOS[type];
  if (video) return lookAtVideo(path, video);
  const message = `file is neither an image nor a video that can be published: the type found is ${type}`;
  throw new UnusableFile("unsupported", message);
}
