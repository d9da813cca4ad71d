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

/** The same, with when it came and what the bytes say; what is not known is absent. */
export function presentMedia(item: Media) {
  const { hasThumbnail, ...details } = item.details;
  return {
    ...presentConfirmed(item),
    ...(item.width !== null && item.height !== null ? { width: item.width, height: item.height } : {}),
    ...(item.durationSeconds !== null ? { durationSeconds: Math.ceil(item.durationSeconds) } : {}),
    ...details,
    ...(item.altText !== null ? { altText: item.altText } : {}),
    digest: digestOf(item),
    ...(hasThumbnail ? { thumbnailUrl: thumbnailAddress(item.id) } : {}),
    createdTime: withSixDigits(item.createdAt),
  };
}

/** Where a file, and the small picture that is kept with it, can be seen until then at the latest. */
export function presentAddresses({ id, details: { hasThumbnail } }: Media, endsAt?: Date) {
  return {
    url: mediaAddress(id, undefined, endsAt),
    ...(hasThumbnail ? { thumbnailUrl: thumbnailAddress(id, undefined, endsAt) } : {}),
  };
}

/** With its algorithm: `blake2b:` is BLAKE2b-512, as b2sum(1) prints it; the first media that there were have `sha256:`. */
function digestOf({ digest }: Media): string {
  return `${digest.length === 32 ? "sha256" : "blake2b"}:${digest.toString("hex")}`;
}

/** A storage key without its owner: `<object_uuid>.<ext>`. */
function objectNameOf({ key }: Media): string {
  return key.slice(key.indexOf("/") + 1);
}
