import { fileTypeFromFile } from "file-type";
import type { Look } from "./look";
import { lookAtImage } from "./look-image";
import { lookAtVideo } from "./look-video";
import { textType } from "./text-type";
import { UnusableFile } from "./unusable";

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
export async function lookHere(path: string): Promise<Look> {
  const found = (await fileTypeFromFile(path))?.mime;
  // XML is told by its prologue alone: what it holds stands behind that.
  const type = found && found !== "application/xml" ? found : await textType(path);
  if (IMAGES.has(type)) return lookAtImage(path, type);
  const video = VIDEOS[type];
  if (video) return lookAtVideo(path, video);
  const message = `file is neither an image nor a video that can be published: the type found is ${type}`;
  throw new UnusableFile("unsupported", message);
}
