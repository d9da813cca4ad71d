import type { MediaDetails } from "../db";

/** What images are converted to. */
export type ImageType = "image/jpeg" | "image/png" | "image/webp";

/** What to make of an image: the type, the pixels as shown, and how many bytes it may have at most. */
export type ImageRecipe = { contentType: ImageType; width: number; height: number; maxBytes?: number };

/** A film of an image that moves: even numbers of pixels, and how often it plays. */
export type FilmRecipe = { contentType: "video/mp4"; width: number; height: number; rounds: number };

export type Recipe = ImageRecipe | FilmRecipe;

/** What was made: pixels as shown. */
export type Conversion = { contentType: Recipe["contentType"]; sizeBytes: number; width: number; height: number };

type Moving = { contentType: string; durationSeconds: number | null; details: MediaDetails };

/** What is known of the film before it is made; how many bytes it will have is not. */
export function asFilm<M extends Moving>(item: M, { contentType, width, height, rounds }: FilmRecipe): M {
  const durationSeconds = Math.round((item.durationSeconds ?? 0) * rounds * 1000) / 1000;
  return { ...item, contentType, width, height, durationSeconds, details: { videoCodec: "avc", hasAudio: false } };
}

/** Counts how conversions are made: what an older way made is not taken for what this one would make. */
const WAY = 1;

/** The recipe in words; the same words give the same pictures. */
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
