import type { Platform } from "@/lib/platforms";
import { targetWords } from "./words";

/** Returns a field's label: the network's, the common one, or the readable name on the wire. */
export function labelOf(platform: Platform, field: string): string {
  return targetWords.names[platform]?.[field] ?? targetWords.commonNames[field] ?? readableName(field);
}

/** Returns the hint of a field whose label is not enough. */
export function hintOf(platform: Platform, field: string): string | undefined {
  return targetWords.hints[platform]?.[field];
}

/**
 * Makes a name on the wire readable: `publicationType` is "Publication type", `PUBLIC_TO_EVERYONE` "Public to
 * everyone".
 */
export function readableName(name: string): string {
  const apart = /[a-z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1 $2") : name.replaceAll("_", " ");
  const lower = apart.toLowerCase().replace(/\bai\b/g, "AI");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
