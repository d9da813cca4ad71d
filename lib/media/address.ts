import { env } from "../env";
import { isMacOf, macOf, randomToken } from "../secrets";

/** How long an address works: longer than any network takes to fetch, short enough to be worthless when found later. */
const LIFE_SECONDS = 6 * 3600;

/**
 * A signed, time-limited address of one object on `{app_url}`, for a network that fetches media itself. Each call gives
 * another one. Only ASCII; nothing of the owner or of the file's name is in it.
 * @param endsAt when it has to end at the latest
 */
export function mediaAddress(mediaId: string, now = Date.now(), endsAt?: Date): string {
  return signed(mediaId, now, endsAt);
}

/** The same for the small picture that is kept with an object. */
export function thumbnailAddress(mediaId: string, now = Date.now(), endsAt?: Date): string {
  return signed(`${mediaId}/thumbnail`, now, endsAt);
}

function signed(path: string, now: number, endsAt = new Date(now + LIFE_SECONDS * 1000)): string {
  const expires = Math.min(Math.floor(now / 1000) + LIFE_SECONDS, Math.floor(endsAt.getTime() / 1000));
  const nonce = randomToken(9);
  const { keyId, mac } = macOf("media address", `${path}.${expires}.${nonce}`);
  return `${env.appUrl}/media/${path}?e=${expires}&n=${nonce}&k=${keyId}&s=${mac}`;
}

/**
 * Whether an address is one of ours and has not ended.
 * @param path what stands behind `/media/`: an object's id, or `{id}/thumbnail`
 */
export function isValidMediaAddress(path: string, query: URLSearchParams, now = Date.now()): boolean {
  const expires = query.get("e") ?? "";
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now) return false;
  return isMacOf("media address", `${path}.${expires}.${query.get("n")}`, query.get("k") ?? "", query.get("s") ?? "");
}
