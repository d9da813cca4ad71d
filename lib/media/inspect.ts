import type { MediaDetails } from "../db";
import { inWorkshop } from "./workshop";

/**
 * What the bytes themselves reveal. Sizes are in pixels as displayed (orientation applied), the duration is in seconds to
 * the millisecond.
 */
export type InspectedFile = {
  contentType: string;
  width?: number;
  height?: number;
  durationSeconds?: number;
  details: MediaDetails;
  /** A small WebP. Only for images, because nothing here decodes videos. */
  thumbnail?: Buffer;
};

/**
 * Detects a file's type from its bytes and checks that it is complete: an image is decoded in full, and every track of a
 * video is read to the end.
 * @throws UnusableFile with the type found
 */
export function inspectFile(path: string): Promise<InspectedFile> {
  return inWorkshop("look", { path });
}
