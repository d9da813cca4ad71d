import { inWorkshop } from "./workshop";
import type { InspectedFile } from "./workshop/child";

export type { InspectedFile };

/**
 * Detects a file's type from its bytes and checks that it is complete: an image is decoded in full, and every track of a
 * video is read to the end.
 * @param ownerId whose file it is; owners take turns
 * @throws UnusableFile with the type found
 */
export function inspectFile(path: string, ownerId: string): Promise<InspectedFile> {
  return inWorkshop("look", { path }, { ownerId, lane: "intake" });
}
