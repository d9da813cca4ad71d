import type { Platform } from "@/lib/platforms";
import * as words from "../words/compose-fields";
import { readable } from "./readable";

/** What a field is called: by its network, by what every network has, or as its name on the wire reads. */
export function labelOf(platform: Platform, field: string): string {
  return words.names[platform]?.[field] ?? words.commonNames[field] ?? readable(field);
}

/** A line below a field whose name does not say enough. */
export function hintOf(platform: Platform, field: string): string | undefined {
  return words.hints[platform]?.[field];
}
