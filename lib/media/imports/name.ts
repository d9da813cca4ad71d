import type { Import } from "./start";

/** For names without an extension, so that the file has one; the type itself is never read off it. */
const EXTENSIONS: { [contentType: string]: string } = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/tiff": "tiff",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
};

/** What an imported file is called: as it was hinted, else as the last part of its URL's path. */
export function importedName({ filenameHint, sourceUrl }: Pick<Import, "filenameHint" | "sourceUrl">, type: string) {
  const name = filenameHint?.trim() || lastPartOf(sourceUrl) || "file";
  return /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : `${name}.${EXTENSIONS[type] ?? "bin"}`;
}

function lastPartOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
