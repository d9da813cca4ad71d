import { env } from "../env";
import { isMacOf, macOf, randomToken } from "../secrets";

/** How long an address works: longer than any network takes to fetch a file, and short enough to be worthless if it leaks. */
const LIFE_SECONDS = 6 * 3600;

/**
 * Returns a signed, time-limited address of an object on `MEDIA_URL`, for browsers and networks that fetch media
 * themselves. Each call returns a different address. It is ASCII and reveals neither the owner nor the file name.
 * @param endsAt when it must end at the latest
 */
export function mediaAddress(mediaId: string, now = Date.now(), endsAt?: Date): string {
  return signed(mediaId, now, endsAt);
}

/** The same for the object's thumbnail. */
export function thumbnailAddress(mediaId: string, now = Date.now(), endsAt?: Date): string {
  return signed(`${mediaId}/thumbnail`, now, endsAt);
}

function signed(path: string, now: number, endsAt = new Date(now + LIFE_SECONDS * 1000)): string {
  const expires = Math.min(Math.floor(now / 1000) + LIFE_SECONDS, Math.floor(endsAt.getTime() / 1000));
  const nonce = randomToken(9);
  const { keyId, mac } = macOf("media address", `${path}.${expires}.${nonce}`);
  return `${env.mediaUrl}/media/${path}?e=${expires}&n=${nonce}&k=${keyId}&s=${mac}`;
}

/**
 * Returns whether we signed this address and it has not expired.
 * @param path the part after `/media/`: an object's ID, or `{id}/thumbnail`
 */
export function isValidMediaAddress(path: string, query: URLSearchParams, now = Date.now()): boolean {
  const expires = query.get("e") ?? "";
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now) return false;
  return isMacOf("media address", `${path}.${expires}.${query.get("n")}`, query.get("k") ?? "", query.get("s") ?? "");
}
