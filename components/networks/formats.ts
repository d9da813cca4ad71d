import { type FileKind, fileKindOf } from "@/lib/networks/limits";
import type { FormatName } from "@/lib/networks/network";
import type { NetworkFacts, NetworkFormatLimits, SettingValue, TaggedPerson } from "./types";

/** Returns the format of a post with these files. */
export function formatOf(files: { kind: FileKind }[]): FormatName {
  return files.length > 1 ? "carousel" : (files[0]?.kind ?? "text");
}

/** Returns a network's limits under these settings; a story has other limits than a feed post. */
export function formatsFor(
  { variants, formats }: Pick<NetworkFacts, "variants" | "formats">,
  settings: { [setting: string]: SettingValue | undefined },
): NetworkFormatLimits {
  return variants?.formats[String(settings[variants.setting])] ?? formats;
}

/** The kind of a stored file; of an unknown file, what its extension suggests. */
export function kindOf(path: string, file?: { contentType: string }): FileKind {
  if (file) return fileKindOf(file.contentType);
  if (/\.pdf$/i.test(path)) return "document";
  return /\.(mp4|mov|webm|mkv)$/i.test(path) ? "video" : "image";
}

const FIRST_FRAME = "#t=0.1";

/** The address of the picture that is shown in place of a file; for a video its first frame, which `Still` shows as a poster. */
export function stillOf(url: string, kind: FileKind): string {
  return kind === "video" ? url + FIRST_FRAME : url;
}

export function isFirstFrame(src: string): boolean {
  return src.endsWith(FIRST_FRAME);
}

/** Returns the entries of a list of people as tags. A user name alone is tagged in the first file. */
export function tagsIn(value: unknown): TaggedPerson[] {
  const entries: (string | TaggedPerson)[] = Array.isArray(value) ? value : [];
  return entries.map((entry) => (typeof entry === "string" ? { username: entry } : entry));
}
