import { asFilm, type FilmRecipe } from "../media";
import { type Breach, type FormatName, filmLimits, type Limits } from "../networks";
import type { Attached, KnownMedia } from "./facts";
import { imageWords } from "./file-limits";

/** What a network takes, by format. */
export type Taken = { [F in FormatName]?: { limits: Limits } };

/** Shorter ones play several rounds, as they do in a browser: a film of less is gone before it was seen, and some networks refuse it. */
const LEAST_SECONDS = 3;
/** Nobody makes longer ones, and whoever does has a film to begin with. */
const MOST_SECONDS = 60;
const MOST_SIDE = 1280;
/** Of all pictures of the film at the highest rate: what is made in half a minute or so. */
const MOST_PIXELS = 800_000_000;
const MOST_RATE = 60;

/**
 * What to make of an image that moves so that it moves at a network too, where that takes films. Pure; the limits are data.
 * Undefined where it goes out as it is, and where nothing is known of how long it plays.
 * @param media all of its post
 */
export function filmRecipeFor(taken: Taken, media: Attached[], item: KnownMedia): FilmRecipe | undefined {
  const moves = (item.details.frames ?? 1) > 1;
  const limits = moves && filmLimits((format) => taken[format]?.limits, media.length, item.contentType);
  const { width, height, durationSeconds: seconds } = item;
  if (!limits || !width || !height || !seconds || seconds > MOST_SECONDS) return undefined;
  const rounds = Math.ceil(Math.max(LEAST_SECONDS, limits.seconds?.min ?? 0, seconds) / seconds);
  const scale = Math.min(
    1,
    Math.min(MOST_SIDE, limits.side?.max ?? MOST_SIDE) / Math.max(width, height),
    (limits.maxWidth ?? width) / width,
    (limits.shorterSide?.max ?? Number.POSITIVE_INFINITY) / Math.min(width, height),
    Math.sqrt(MOST_PIXELS / (width * height * MOST_RATE * rounds * seconds)),
  );
  return { contentType: "video/mp4", width: even(width * scale), height: even(height * scale), rounds };
}

/** H.264 halves the colours' sides. */
function even(pixels: number): number {
  return 2 * Math.max(1, Math.floor(pixels / 2));
}

/** A post's media with films in the place of those that go out as films; how many bytes these will have is not known. */
export function asFilms<M extends Attached>(taken: Taken, media: M[]): M[] {
  return media.map((item) => {
    const recipe = item && filmRecipeFor(taken, media, item);
    return recipe ? asFilm(item, recipe) : item;
  });
}

/** Said beforehand, so that nobody is surprised by what goes out. @param sent the same as films */
export function filmNotices(network: string, media: Attached[], sent: Attached[]): Breach[] {
  return media.flatMap((item, index) => {
    const film = sent[index];
    if (!item || !film || film === item) return [];
    const becomes = `MP4 video of ${film.width} x ${film.height} pixels, ${film.durationSeconds} seconds`;
    const message = `${network} would not show this image moving (${imageWords(item)}): it is sent as an ${becomes}`;
    const at = `attachmentPaths[${index}]`;
    return [{ at, message, rule: "image.filmed", measured: item.contentType, severity: "warning" }];
  });
}
