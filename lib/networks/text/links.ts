import { topLevelDomains } from "./top-level-domains";

/** Position of a link in a text, in UTF-16 units. */
export type Link = { start: number; end: number };

const MAX_LENGTH = 4096;
const MAX_LABEL = 63;
const MAX_SHORT_LINK = 40;

/** Quick check: most texts contain no dot that could be part of a link. */
const POSSIBLE = /\S\.[^\s\p{P}]{2}/u;

const PUNCTUATION = "!'#%&()*+,\\\\\\-./:;<=>?@\\[\\]^_{|}~$";
const SPACES = "\\t-\\r \\x85\\xA0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000";
const INVALID = "\\uFFFE\\uFEFF\\uFFFF";
const DIRECTION = "\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069";
const LATIN =
  "\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B" +
  "\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF";

const LETTER = `[^${PUNCTUATION}${SPACES}${INVALID}${DIRECTION}]`;
/** The repetition is bounded like domain labels, which keeps matching linear on long texts without links. */
const label = (between: string) => `${LETTER}(?:${between}{0,${MAX_LABEL}}${LETTER}){0,${MAX_LABEL}}\\.`;
const byLength = [...topLevelDomains].toSorted((a, b) => b.length - a.length);
const ENDING = `(?:(?:${byLength.join("|")})(?=[^0-9a-zA-Z@+-]|$)|xn--[\\-0-9a-z]+)`;
const DOMAIN = `(?:${label("[_-]")}){0,126}${label("-")}${ENDING}`;

const IN_PATH = `[a-z\\u0400-\\u04FF0-9!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&${LATIN}]`;
const BRACKETS = `\\((?:${IN_PATH}+|(?:${IN_PATH}*\\(${IN_PATH}+\\)${IN_PATH}*))\\)`;
const PATH_END = `(?:[+\\-a-z\\u0400-\\u04FF0-9=_#/${LATIN}]|${BRACKETS})`;
const PATH = `(?:(?:${IN_PATH}*(?:${BRACKETS}${IN_PATH}*)*${PATH_END})|(?:@${IN_PATH}+/))`;
const QUERY = "\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]";

const BEFORE = `[^A-Za-z0-9@＠$#＃${INVALID}]|[${DIRECTION}]|^`;
const LINK = new RegExp(`(${BEFORE})((https?://)?(${DOMAIN})(?::[0-9]+)?(/${PATH}*)?(?:${QUERY})?)`, "gi");
const ASCII_DOMAIN = new RegExp(`(?:[\\-a-z0-9${LATIN}]+\\.)+${ENDING}`, "gi");
const SHORT_LINK = new RegExp(`^https?://t\\.co/([a-z0-9]+)(?:${QUERY})?`, "i");

/**
 * Finds the links that X recognizes in a text, like `extractUrlsWithIndices` of twitter-text 3.1.0
 * (github.com/twitter/twitter-text, Apache-2.0); a test compares the two. With a scheme, any domain with a known top-level
 * domain is a link; without a scheme, only domains of ASCII and accented letters are.
 */
export function findLinks(text: string): Link[] {
  if (!POSSIBLE.test(text)) return [];
  const links: Link[] = [];
  for (const match of text.matchAll(LINK)) {
    const [whole, before = "", url = "", scheme, domain = "", path] = match;
    const start = match.index + whole.length - url.length;
    if (!isSound(url, scheme ?? "https://", domain)) continue;
    if (scheme) links.push(...shortened(url, start));
    else if (!/[-_./]$/.test(before)) links.push(...bareLinks(domain, start, path ? url.length - domain.length : 0));
  }
  return links;
}

/** In a domain without a scheme, only the ASCII parts are links; the last one includes the path. */
function bareLinks(domain: string, start: number, pathLength: number): Link[] {
  const links = [...domain.matchAll(ASCII_DOMAIN)].map(({ 0: name, index }) => ({
    start: start + index,
    end: start + index + name.length,
  }));
  const last = links.at(-1);
  if (last) last.end += pathLength;
  return links;
}

/** A t.co link ends after its slug, which has at most 40 characters. */
function shortened(url: string, start: number): Link[] {
  const [short, slug = ""] = url.match(SHORT_LINK) ?? [];
  if (!short) return [{ start, end: start + url.length }];
  return slug.length > MAX_SHORT_LINK ? [] : [{ start, end: start + short.length }];
}

function isSound(url: string, scheme: string, domain: string): boolean {
  return scheme.length + url.length <= MAX_LENGTH && domain.split(".").every((one) => one.length <= MAX_LABEL);
}
