import type { FormatName } from "@/lib/networks/network";
import type { FormatLimits, NetworkFacts } from "./types";

/** What a post with these files is to a network. */
export function formatOf(files: { kind: "image" | "video" }[]): FormatName {
  return files.length > 1 ? "carousel" : (files[0]?.kind ?? "text");
}

/** What a network takes under these settings: a story is not what a post in the feed is. */
export function formatsFor(
  { variants, formats }: Pick<NetworkFacts, "variants" | "formats">,
  settings: { [setting: string]: string | boolean | undefined },
): FormatLimits {
  return variants?.formats[String(settings[variants.setting])] ?? formats;
}
