import type { Problem } from "../../errors";
import { asFilm, type FilmRecipe, type ImageRecipe, type ImageType } from "../../media";
import { type Breach, type FormatName, filmOf, type ImageLimits, type Limits, MB, typeNames } from "../../networks";
import type { Attached, KnownMedia } from "./facts";

/** What an image is converted to, the first of them that a network takes. */
const TARGETS: ImageType[] = ["image/jpeg", "image/png", "image/webp"];

/**
 * What to make of an image so that a network takes it: another type, fewer pixels, fewer bytes. Pure; the limits are data.
 * Undefined where it is taken as it is, and where nothing faithful can be made of it: one that moves (see `filmRecipeFor`), one
 * that would have to be enlarged or cropped.
 */
export function recipeFor({ sentAs, ...taken }: ImageLimits, item: KnownMedia): ImageRecipe | undefined {
  const limits = { ...taken, ...sentAs };
  const [width, height] = [item.width ?? 0, item.height ?? 0];
  const isTooHeavy = limits.maxBytes !== undefined && (item.sizeBytes ?? 0) > limits.maxBytes;
  const scale = Math.min(
    1,
    (limits.side?.max ?? Number.POSITIVE_INFINITY) / Math.max(width, height),
    (limits.shorterSide?.max ?? Number.POSITIVE_INFINITY) / Math.min(width, height),
    (limits.maxSideSum ?? Number.POSITIVE_INFINITY) / (width + height),
    Math.sqrt((limits.maxPixels ?? Number.POSITIVE_INFINITY) / (width * height)),
  );
  if (limits.types.includes(item.contentType) && !isTooHeavy && !(scale < 1)) return undefined;
  const contentType = targetOf(limits, item, isTooHeavy);
  if (!contentType || !(width > 0 && height > 0) || (item.details.frames ?? 1) > 1) return undefined;
  const size = scaled(limits, width, height, scale);
  if (Math.min(size.width, size.height) < Math.min(limits.side?.min ?? 1, width, height)) return undefined;
  return { contentType, ...size, ...(limits.maxBytes === undefined ? {} : { maxBytes: limits.maxBytes }) };
}

/** The type stays where it can: only what is taken and does not get too heavy without loss. */
function targetOf({ types }: ImageLimits, { contentType }: KnownMedia, isTooHeavy: boolean): ImageType | undefined {
  const possible = TARGETS.filter((type) => types.includes(type));
  const same = possible.find((type) => type === contentType && !(type === "image/png" && isTooHeavy));
  return same ?? possible[0];
}

/** Fewer pixels of the same ratio; where rounding to whole ones would leave the network's bounds, as many columns more or less as it takes. */
function scaled({ ratio, side, maxSideSum }: ImageLimits, width: number, height: number, scale: number) {
  const [w, h] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  if (!ratio || scale === 1 || width / height < ratio.min || width / height > ratio.max) return { width: w, height: h };
  const within = Math.min(Math.max(w, Math.ceil(h * ratio.min)), Math.floor(h * ratio.max));
  const fits = within <= (side?.max ?? within) && within + h <= (maxSideSum ?? within + h);
  return { width: fits ? within : w, height: h };
}

/** An image as it is sent, so that it can be checked before it is made: of its bytes only the most is known. */
export function asSent<M extends KnownMedia>(limits: ImageLimits | undefined, item: M): M {
  const recipe = limits && item.contentType.startsWith("image/") ? recipeFor(limits, item) : undefined;
  if (!recipe) return item;
  const { contentType, width, height, maxBytes = Number.POSITIVE_INFINITY } = recipe;
  return { ...item, contentType, width, height, sizeBytes: Math.min(item.sizeBytes ?? maxBytes, maxBytes) };
}

/** Said beforehand, so that nobody is surprised by what goes out. */
export function conversionWarning(network: string, item: KnownMedia, sent: KnownMedia): Omit<Problem, "path"> {
  const becomes = `${typeName(sent.contentType)} of ${sent.width} x ${sent.height} pixels`;
  const white = sent.contentType === "image/jpeg" && item.contentType !== "image/jpeg";
  const message = `${network} does not take this image as it is (${imageWords(item)}): it is sent as a ${becomes}${white ? ", what is transparent in white" : ""}`;
  return { message, rule: "image.converted", measured: item.contentType, severity: "warning" };
}

/** What an image is, as in `PNG, 640 x 480 pixels, 1.2 MB`. */
function imageWords({ contentType, width, height, sizeBytes = 0 }: KnownMedia): string {
  const size = sizeBytes < MB / 10 ? `${Math.ceil(sizeBytes / 1024)} KB` : `${(sizeBytes / MB).toFixed(1)} MB`;
  return `${typeName(contentType)}, ${width} x ${height} pixels, ${size}`;
}

export function typeName(contentType: string): string {
  return typeNames[contentType] ?? contentType;
}

/** What a network takes, by format. */
export type Taken = { [F in FormatName]?: { limits: Limits } };

/**
 * What to make of an image that moves so that it moves at a network too (`filmOf`).
 * @param media all of its post
 */
export function filmRecipeFor(taken: Taken, media: unknown[], item: KnownMedia): FilmRecipe | undefined {
  const { frames, orientation } = item.details;
  const film = filmOf((format) => taken[format]?.limits, media.length, { ...item, frames, orientation });
  return film && { contentType: "video/mp4", ...film };
}

/** A post's media as they are checked, with films in the place of those that go out as films. */
export function asFilms(taken: Taken, media: Attached[]): Attached[] {
  return media.map((item) => {
    const recipe = item && filmRecipeFor(taken, media, item);
    return recipe ? { ...asFilm(item, recipe), sizeBytes: undefined } : item;
  });
}

/**
 * Said beforehand, so that nobody is surprised by what goes out, nor by an alt text that stays behind: many networks take one
 * of images only.
 * @param sent the same as films
 */
export function filmNotices(network: string, taken: Taken, media: Attached[], sent: Attached[]): Breach[] {
  const takesAltText = taken[media.length > 1 ? "carousel" : "video"]?.limits.video?.altText !== undefined;
  return media.flatMap((item, index): Breach[] => {
    const film = sent[index];
    if (!item || !film || film === item) return [];
    const becomes = `MP4 video of ${film.width} x ${film.height} pixels, ${film.durationSeconds} seconds`;
    const message = `${network} would not show this image moving (${imageWords(item)}): it is sent as an ${becomes}`;
    const at = `attachmentPaths[${index}]`;
    const filmed: Breach = { at, message, rule: "image.filmed", measured: item.contentType, severity: "warning" };
    if (!item.altText || takesAltText) return [filmed];
    const loses = `${network} takes no alt text of videos: this image's is not sent`;
    return [filmed, { at, message: loses, rule: "film.alt_text", severity: "warning" }];
  });
}
