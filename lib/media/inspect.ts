import type { MediaDetails } from "../db";
import { inWorkshop } from "./workshop";

/** What the bytes themselves say. Sizes in pixels as shown (orientation applied), seconds to the millisecond. */
export type InspectedFile = {
  contentType: string;
  width?: number;
  height?: number;
  durationSeconds?: number;
  details: MediaDetails;
  /** A small WebP; of images only, since nothing here decodes videos. */
  thumbnail?: Buffer;
};

/**
 * Tells the type from the bytes and checks that they really are what they claim: an image is decoded whole, a video's
 * container must be complete and each of its tracks readable to the end.
 * @throws UnusableFile naming the type found
 */
export function inspectFile(path: string): Promise<InspectedFile> {
  return inWorkshop("look", { path });
}
