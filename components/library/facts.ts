import { language, localFormat } from "../time/format";
import type { ApiMedia } from "./queries";
import { libraryWords } from "./words";

export function isVideo({ contentType }: Pick<ApiMedia, "contentType">): boolean {
  return contentType.startsWith("video/");
}

export function isDocument({ contentType }: Pick<ApiMedia, "contentType">): boolean {
  return contentType === "application/pdf";
}

/** The address that saves a file under its name. */
export function downloadOf({ url }: Pick<ApiMedia, "url">): string {
  return `${url}&download`;
}

/** `340 KB`, `12.4 MB`; a kilobyte is 1,024 bytes, as in the limits. */
export function sizeWords(bytes: number): string {
  const power = Math.min(libraryWords.facts.units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const number = bytes / 1024 ** power;
  return `${number.toLocaleString(language, { maximumFractionDigits: number < 100 && power > 0 ? 1 : 0 })} ${libraryWords.facts.units[power]}`;
}

const mediumTime = localFormat({ dateStyle: "medium", timeStyle: "short" });

/** The known facts of a file with their labels. */
export function factsOf(media: ApiMedia): [string, string][] {
  const {
    contentType,
    sizeBytes,
    width,
    height,
    durationSeconds,
    pages,
    frameRate,
    videoCodec,
    audioCodec,
    createdTime,
  } = media;
  const facts: [string, string | undefined][] = [
    [libraryWords.facts.type, contentType],
    [libraryWords.facts.size, sizeWords(sizeBytes)],
    [libraryWords.facts.pixels, width && height ? `${width} × ${height}` : undefined],
    [libraryWords.facts.length, durationSeconds ? lengthWords(durationSeconds) : undefined],
    [libraryWords.facts.pages, pages?.toLocaleString(language)],
    [libraryWords.facts.frameRate, frameRate?.toLocaleString(language, { maximumFractionDigits: 2 })],
    [libraryWords.facts.video, videoCodec],
    [libraryWords.facts.sound, audioCodec],
    [libraryWords.facts.added, mediumTime.format(new Date(`${createdTime}Z`))],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** `1:05`, `1:02:05` */
export function lengthWords(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(Math.floor(seconds) % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
