import { NotFound } from "../errors";
import { keyOf } from "./key";
import { type Media, mediaOf } from "./media";

/**
 * One of the owner's media by its object's name.
 * @throws NotFound, the same for a foreign one and for one that never was
 */
export async function getMedia(ownerId: string, name: string): Promise<Media> {
  const key = keyOf(ownerId, name);
  const item = (await mediaOf(ownerId, [key])).get(key);
  if (!item) throw new NotFound("Media", name);
  return item;
}
