import { BadRequest, NotFound } from "../errors";
import type { Media } from "./media";
import { mediumByKey, settleUpload, uploadByKey } from "./settle";

const KEY = /^(?:[0-9a-f-]{36}\/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/;

/**
 * Confirms an upload: the same answer however often it is asked for.
 * @param given the grant's key, or its object name alone
 * @throws BadRequest with what is wrong with the file, the same each time; NotFound where nothing was uploaded yet, and for
 * a foreign key as for one that never was
 */
export async function confirmUpload(ownerId: string, given: string): Promise<Media> {
  const absent = new NotFound("Media", given);
  if (!KEY.test(given)) throw absent;
  const key = given.includes("/") ? given : `${ownerId}/${given}`;
  const known = await mediumByKey(ownerId, key);
  if (known) return known;
  const upload = await uploadByKey(ownerId, key);
  if (!upload) throw absent;
  const settled = await settleUpload(upload);
  if (settled.state === "REFUSED") throw new BadRequest(settled.reason);
  const item = await mediumByKey(ownerId, key);
  if (!item) throw absent; // not uploaded yet, or removed from the library since
  return item;
}
