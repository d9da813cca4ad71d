import type { Platform } from "@/lib/platforms";
import { targetWords } from "./words";

/** What a field is called: by its network, by what every network has, or as its name on the wire reads. */
export function labelOf(platform: Platform, field: string): string {
  return targetWords.names[platform]?.[field] ?? targetWords.commonNames[field] ?? readableName(field);
}

/** A line below a field whose name does not say enough. */
export function hintOf(platform: Platform, field: string): string | undefined {
  return targetWords.hints[platform]?.[field];
}

/** `publicationType` and `PUBLIC_TO_EVERYONE` as a person reads them: "Publication type", "Public to everyone". */
export function readableName(name: string): string {
  const apart = /[a-z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1 $2") : name.replaceAll("_", " ");
  const lower = apart.toLowerCase().replace(/\bai\b/g, "AI");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
