import { withSixDigits } from "../time";
import { addressOf, thumbnailAddressOf } from "./address";
import type { Media } from "./media";

/** SPEC's "Confirmed upload". */
export function presentConfirmed(item: Media) {
  return {
    key: objectNameOf(item),
    path: item.key,
    filename: item.filename,
    contentType: item.contentType,
    sizeBytes: item.sizeBytes,
    url: addressOf(item.id),
  };
}

/** The same, with when it came and what the bytes say; what is not known is absent. */
export function presentMedia(item: Media) {
  const { hasThumbnail, ...details } = item.details;
  return {
    ...presentConfirmed(item),
    ...(item.width !== null && item.height !== null ? { width: item.width, height: item.height } : {}),
    ...(item.durationSeconds !== null ? { durationSeconds: item.durationSeconds } : {}),
    ...details,
    sha256: item.sha256.toString("hex"),
    ...(hasThumbnail ? { thumbnailUrl: thumbnailAddressOf(item.id) } : {}),
    createdTime: withSixDigits(item.createdAt),
  };
}

/** A storage key without its owner: `<object_uuid>.<ext>`. */
function objectNameOf({ key }: Media): string {
  return key.slice(key.indexOf("/") + 1);
}
