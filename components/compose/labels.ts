import type { Platform } from "@/lib/platforms";
import { readable } from "./readable";
import { targetWords } from "./targets/words";

/** What a field is called: by its network, by what every network has, or as its name on the wire reads. */
export function labelOf(platform: Platform, field: string): string {
  return targetWords.names[platform]?.[field] ?? targetWords.commonNames[field] ?? readable(field);
}

/** A line below a field whose name does not say enough. */
export function hintOf(platform: Platform, field: string): string | undefined {
  return targetWords.hints[platform]?.[field];
}
