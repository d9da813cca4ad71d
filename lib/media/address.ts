import { env } from "../env";
import { isMacOf, macOf, randomToken } from "../secrets";

/** How long an address works: longer than any network takes to fetch a file, and short enough to be worthless if it leaks. */
const LIFE_SECONDS = 6 * 3600;
/** For how long a shown address stays the same. */
const SAME_SECONDS = 3600;

/**
 * Returns a signed, time-limited address of an object on `MEDIA_URL`, to show to its owner. It is ASCII and reveals neither the
 * owner nor the file name. It stays the same for up to an hour, so that repeated answers are equal and browsers need not load the
 * file again.
 * @param endsAt when it must end at the latest
 */
export function mediaAddress(mediaId: string, now = Date.now(), endsAt?: Date): string {
  return shown(mediaId, now, endsAt);
}

/** The same for the object's thumbnail. */
export function thumbnailAddress(mediaId: string, now = Date.now(), endsAt?: Date): string {
  return shown(`${mediaId}/thumbnail`, now, endsAt);
}

/** The same for a network that fetches the object itself: each call returns a different address, one for each attempt. */
export function attemptAddress(mediaId: string, now = Date.now()): string {
  return signed(mediaId, Math.floor(now / 1000) + LIFE_SECONDS, randomToken(9));
}

function shown(path: string, now: number, endsAt?: Date): string {
  const expires = (Math.floor(now / 1000 / SAME_SECONDS) + 1) * SAME_SECONDS + LIFE_SECONDS;
  return signed(path, endsAt ? Math.min(expires, Math.floor(endsAt.getTime() / 1000)) : expires, "");
}

function signed(path: string, expires: number, nonce: string): string {
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
