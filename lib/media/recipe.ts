import type { MediaDetails } from "../db";

/** The types that images are converted to. */
export type ImageType = "image/jpeg" | "image/png" | "image/webp";

/** How to convert an image: the type, the size in pixels as displayed, and the maximum number of bytes. */
export type ImageRecipe = { contentType: ImageType; width: number; height: number; maxBytes?: number };

/** How to make a film of an animation: an even size in pixels, and how often it plays. */
export type FilmRecipe = { contentType: "video/mp4"; width: number; height: number; rounds: number };

/** How to rewrap a video: its tracks are copied into an MP4 that begins with its index and has no edit lists. */
export type RewrapRecipe = { contentType: "video/mp4"; width: number; height: number; rewrap: true };

export type Recipe = ImageRecipe | FilmRecipe | RewrapRecipe;

/** The result of a conversion. Sizes are in pixels as displayed. */
export type Conversion = { contentType: Recipe["contentType"]; sizeBytes: number; width: number; height: number };

type Moving = { contentType: string; durationSeconds: number | null; details: MediaDetails };

/** Describes the video before it is made. Only its number of bytes is unknown; rewrapping hardly changes it. */
export function asVideo<M extends Moving>(item: M, recipe: FilmRecipe | RewrapRecipe): M {
  const { contentType, width, height } = recipe;
  if (!isFilm(recipe)) {
    const { editList: _, ...details } = item.details;
    return { ...item, contentType, details: { ...details, index: "front" } };
  }
  const durationSeconds = Math.round((item.durationSeconds ?? 0) * recipe.rounds * 1000) / 1000;
  const details: MediaDetails = { videoCodec: "avc", hasAudio: false, index: "front" };
  return { ...item, contentType, width, height, durationSeconds, details };
}

/** The version of the conversion code. A new version does not reuse the results of an older one. */
const WAY = 1;

/** The recipe as text. The same text produces the same file. */
export function recipeText(recipe: Recipe): string {
  const { contentType, width, height } = recipe;
  return `${WAY}: ${contentType} of ${width}x${height}${detailsText(recipe)}`;
}

function detailsText(recipe: Recipe): string {
  if (isFilm(recipe)) return `, ${recipe.rounds} rounds`;
  if (isRewrap(recipe)) return ", rewrapped";
  return recipe.maxBytes === undefined ? "" : ` at most ${recipe.maxBytes} bytes`;
}

export const isFilm = (recipe: Recipe): recipe is FilmRecipe => "rounds" in recipe;

export const isRewrap = (recipe: Recipe): recipe is RewrapRecipe => "rewrap" in recipe;
