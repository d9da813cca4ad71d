import type { MediaDetails } from "../db";

/** The types that images are converted to. */
export type ImageType = "image/jpeg" | "image/png" | "image/webp";

/** How to convert an image: the type, the size in pixels as displayed, and the maximum number of bytes. */
export type ImageRecipe = { contentType: ImageType; width: number; height: number; maxBytes?: number };

/** How to make a film of an animation: an even size in pixels, and how often it plays. */
export type FilmRecipe = { contentType: "video/mp4"; width: number; height: number; rounds: number };

export type Recipe = ImageRecipe | FilmRecipe;

/** The result of a conversion. Sizes are in pixels as displayed. */
export type Conversion = { contentType: Recipe["contentType"]; sizeBytes: number; width: number; height: number };

type Moving = { contentType: string; durationSeconds: number | null; details: MediaDetails };

/** Describes the film before it is made. Only its number of bytes is unknown. */
export function asFilm<M extends Moving>(item: M, { contentType, width, height, rounds }: FilmRecipe): M {
  const durationSeconds = Math.round((item.durationSeconds ?? 0) * rounds * 1000) / 1000;
  return { ...item, contentType, width, height, durationSeconds, details: { videoCodec: "avc", hasAudio: false } };
}

/** The version of the conversion code. A new version does not reuse the results of an older one. */
const WAY = 1;

/** The recipe as text. The same text produces the same file. */
export function recipeText(recipe: Recipe): string {
  const { contentType, width, height } = recipe;
  return `${WAY}: ${contentType} of ${width}x${height}${isFilm(recipe) ? `, ${recipe.rounds} rounds` : bytesText(recipe)}`;
}

function bytesText({ maxBytes }: ImageRecipe): string {
  return maxBytes === undefined ? "" : ` at most ${maxBytes} bytes`;
}

export function isFilm(recipe: Recipe): recipe is FilmRecipe {
  return recipe.contentType === "video/mp4";
}
