import { withSixDigits } from "../time";
import { addressOf } from "./address";
import type { Media } from "./media";

/** SPEC's "Confirmed upload", with when it came and its size in pixels where known. */
export function presentMedia(item: Media) {
  return {
    key: objectNameOf(item),
    path: item.key,
    filename: item.filename,
    contentType: item.contentType,
    sizeBytes: item.sizeBytes,
    ...(item.width !== null && item.height !== null ? { width: item.width, height: item.height } : {}),
    url: addressOf(item.id),
    createdTime: withSixDigits(item.createdAt),
  };
}

/** A storage key without its owner: `<object_uuid>.<ext>`. */
function objectNameOf({ key }: Media): string {
  return key.slice(key.indexOf("/") + 1);
}
