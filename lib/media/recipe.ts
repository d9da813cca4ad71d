/** What images are converted to. */
export type ImageType = "image/jpeg" | "image/png" | "image/webp";

/** What to make of an image: the type, the pixels as shown, and how many bytes it may have at most. */
export type Recipe = { contentType: ImageType; width: number; height: number; maxBytes?: number };

/** What was made: pixels as shown. */
export type Conversion = { contentType: ImageType; sizeBytes: number; width: number; height: number };

/** Counts how conversions are made: what an older way made is not taken for what this one would make. */
const WAY = 1;

/** The recipe in words; the same words give the same bytes. */
export function recipeText({ contentType, width, height, maxBytes }: Recipe): string {
  const bytes = maxBytes === undefined ? "" : ` at most ${maxBytes} bytes`;
  return `${WAY}: ${contentType} of ${width}x${height}${bytes}`;
}
