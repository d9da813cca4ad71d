import type { Breach } from "../limits";
import type { PlannedPost } from "../network";
import { captionOf } from "./caption";
import type { TikTokSettings } from "./settings";

type Post = PlannedPost<TikTokSettings>;

export const CAPTION_MAX = 2200;

/** As of 2026-08-04. */
const source = "https://developers.tiktok.com/docs/en/content-sharing-guidelines";

/** Checks combinations of settings. */
export function settingsBreaches({ settings }: Post): Breach[] {
  const breaches: Breach[] = [];
  if (settings.brandContent && settings.privacyLevel === "SELF_ONLY") {
    breaches.push({
      at: "platformSettings.privacyLevel",
      message: "TikTok does not accept a paid partnership that only its creator can see",
      rule: "tiktok.brand_content_private",
      measured: "SELF_ONLY",
      source,
      fix: "Choose another privacyLevel, or set brandContent to false",
    });
  }
  if (!settings.hasUsageConfirmation) {
    breaches.push({
      at: "platformSettings.hasUsageConfirmation",
      message: "TikTok requires people to agree to its Music Usage Confirmation before you post for them",
      rule: "tiktok.usage_confirmation",
      severity: "warning",
      source,
      fix: "Show them the confirmation text, and send true once they have agreed",
    });
  }
  return breaches;
}

/** Like `settingsBreaches`, and checks the length of title and content as the one caption that a video has. */
export function videoBreaches(post: Post): Breach[] {
  const { length } = captionOf(post);
  const isEitherTooLong = post.content.length > CAPTION_MAX || post.settings.title.length > CAPTION_MAX;
  if (length <= CAPTION_MAX || isEitherTooLong) return settingsBreaches(post); // a single text is checked by its own limit
  const caption: Breach = {
    at: "content",
    message: `TikTok accepts at most ${CAPTION_MAX} UTF-16 units for title and text together, including the line break between them; these have ${length}`,
    rule: "tiktok.caption_length",
    measured: length,
    limit: { max: CAPTION_MAX },
    fix: `Shorten the title or the text by ${length - CAPTION_MAX} UTF-16 units`,
  };
  return [caption, ...settingsBreaches(post)];
}
