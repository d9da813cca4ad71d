/** The languages of the connect pages; the first is the default. */
export const pageLanguages = ["en", "de"] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** Reads at most this many language tags, so that the work stays small for any header. */
const MAX_TAGS = 20;

export function isLanguage(value: unknown): value is PageLanguage {
  return pageLanguages.some((language) => language === value);
}

/**
 * The language of a person's pages: the link's `ui_locales` (OpenID Connect Core, section 3.1.2.1), otherwise the
 * partner's setting, otherwise the browser's preference, otherwise English.
 */
export function chooseLanguage(from: {
  uiLocales?: string | null;
  partner?: PageLanguage | null;
  acceptLanguage?: string | null;
}): PageLanguage {
  const requested = (from.uiLocales ?? "").split(" ").slice(0, MAX_TAGS);
  return (
    firstSupported(requested) ??
    from.partner ??
    firstSupported(byPreference(from.acceptLanguage ?? "")) ??
    pageLanguages[0]
  );
}

/** The language of the first tag (such as `de-AT`) that the pages support. */
function firstSupported(tags: string[]): PageLanguage | undefined {
  const known = tags.map((tag) => tag.split("-")[0]?.toLowerCase());
  return pageLanguages.find((language) => language === known.find(isLanguage));
}

/** The tags of an Accept-Language header, most preferred first (RFC 9110, section 12.5.4). */
function byPreference(header: string): string[] {
  const weighted = header.split(",", MAX_TAGS).map((entry) => {
    const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  return weighted
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
