import { asFilm, type FilmRecipe } from "../../media";
import { type Breach, type FormatName, filmOf, type Limits } from "../../networks";
import type { Attached, KnownMedia } from "./facts";
import { imageWords } from "./file-limits";

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
