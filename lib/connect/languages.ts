/** The languages in which the connect pages speak; the first is spoken where nothing else is asked for. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** More of them than any person reads; a longer header is not a person's. */
const MOST = 20;

export function isLanguage(value: unknown): value is Language {
  return languages.some((language) => language === value);
}

/**
 * The language of one person's pages: what the link asks for (`ui_locales`, OpenID Connect Core, section 3.1.2.1), else the
 * partner's own, else what the browser prefers, else English.
 */
export function languageFor(asks: {
  uiLocales?: string | null;
  partner?: Language | null;
  acceptLanguage?: string | null;
}): Language {
  const wished = (asks.uiLocales ?? "").split(" ").slice(0, MOST);
  return first(wished) ?? asks.partner ?? first(preferred(asks.acceptLanguage ?? "")) ?? languages[0];
}

/** The first tag (`de-AT`) whose language is one of ours. */
function first(tags: string[]): Language | undefined {
  const known = tags.map((tag) => tag.split("-")[0]?.toLowerCase());
  return languages.find((language) => language === known.find(isLanguage));
}

/** The tags of an Accept-Language header, the most preferred first (RFC 9110, section 12.5.4). */
function preferred(header: string): string[] {
  const weighed = header.split(",", MOST).map((entry) => {
    const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  return weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
