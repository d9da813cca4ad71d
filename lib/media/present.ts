import { withSixDigits } from "../time/instant";
import { mediaAddress, thumbnailAddress } from "./address";
import type { Media } from "./media";

/** SPEC's "Confirmed upload". */
export function presentConfirmed(item: Media) {
  return {
    key: objectNameOf(item),
    path: item.key,
    filename: item.filename,
    contentType: item.contentType,
    sizeBytes: item.sizeBytes,
    url: mediaAddress(item.id),
  };
}

/** The same, plus the creation time and the facts from the bytes. Unknown facts are absent. */
export function presentMedia(item: Media) {
  const { hasThumbnail, ...details } = item.details;
  return {
    ...presentConfirmed(item),
    ...(item.width !== null && item.height !== null ? { width: item.width, height: item.height } : {}),
    ...(item.durationSeconds !== null ? { durationSeconds: Math.ceil(item.durationSeconds) } : {}),
    ...details,
    ...(item.altText !== null ? { altText: item.altText } : {}),
    labels: item.labels,
    digest: digestOf(item),
    ...(hasThumbnail ? { thumbnailUrl: thumbnailAddress(item.id) } : {}),
    createdTime: withSixDigits(item.createdAt),
  };
}

/** Returns the addresses of a file and its thumbnail, valid until the given time at the latest. */
export function presentAddresses({ id, details: { hasThumbnail } }: Media, endsAt?: Date) {
  return {
    url: mediaAddress(id, undefined, endsAt),
    ...(hasThumbnail ? { thumbnailUrl: thumbnailAddress(id, undefined, endsAt) } : {}),
  };
}

/** The digest with its algorithm: `blake2b:` is BLAKE2b-512, as printed by b2sum(1). The oldest media have `sha256:`. */
function digestOf({ digest }: Media): string {
  return `${digest.length === 32 ? "sha256" : "blake2b"}:${digest.toString("hex")}`;
}

/** The storage key without its owner: `<object_uuid>.<ext>`. */
function objectNameOf({ key }: Media): string {
  return key.slice(key.indexOf("/") + 1);
}
