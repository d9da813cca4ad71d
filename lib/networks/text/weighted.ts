import { normalized } from "../../text";
import { topLevelDomains } from "./top-level-domains";

/** Position of a link in a text, in UTF-16 units. */
type Link = { start: number; end: number };

const MAX_LENGTH = 4096;
const MAX_LABEL = 63;
const MAX_SHORT_LINK = 40;

/** Quick check: most texts contain no dot that could be part of a link. */
const POSSIBLE = /\S\.[^\s\p{P}]{2}/u;

const PUNCTUATION = "!'#%&()*+,\\\\\\-./:;<=>?@\\[\\]^_{|}~$";
const SPACES = "\\s\\x85\\u180E";
const INVALID = "\\uFFFE\\uFEFF\\uFFFF";
const DIRECTION = "\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069";
const LATIN =
  "\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B" +
  "\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF";

const LETTER = `[^${PUNCTUATION}${SPACES}${INVALID}${DIRECTION}]`;
/** The repetition is bounded like domain labels, which keeps matching linear on long texts without links. */
const label = (between: string) => `${LETTER}(?:${between}{0,${MAX_LABEL}}${LETTER}){0,${MAX_LABEL}}\\.`;
const byLength = [...topLevelDomains].toSorted((a, b) => b.length - a.length);
/** No ending has a dot or an emoji there. This is much faster than comparing every ending in a text such as `😀.😀.😀.` */
const ENDS = "(?=[^\\ud800-\\udfff.]{2})";
const ENDING = `${ENDS}(?:(?:${byLength.join("|")})(?=[^0-9a-zA-Z@+-]|$)|xn--[\\-0-9a-z]+)`;
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
function findLinks(text: string): Link[] {
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

/** Finding links and emoji takes long. A text of more than this many UTF-16 units is far above X's limit anyway. */
const EXACT_UNITS = 5_000;

/** Returns where exact counting ends: at a space if there is one, so that no link is cut. */
function endOfExact(text: string): number {
  if (text.length <= EXACT_UNITS) return text.length;
  const space = text.slice(0, EXACT_UNITS).search(/\s\S*$/);
  return space > 0 ? space : EXACT_UNITS;
}

const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;

/** Sequences that Unicode recommends to show as one emoji (UTS #51): families, flags, keycaps, skin tones. */
const RECOMMENDED = "\\p{RGI_Emoji}";
/** The start of every such sequence. It keeps the engine from comparing thousands of sequences at every other character. */
const START = "(?=[0-9#*]\\ufe0f|\\p{Emoji}(?<![0-9#*]))";
const EMOJI = new RegExp(`${START}${RECOMMENDED}`, "gv");
/** What may be one emoji by its structure (UTS #51, ED-17), or a run of flags, in which any two letters (`RI`) may be one. */
const PART = "(?!\\p{RI})\\p{Emoji}(?:\\p{EMod}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?";
const CANDIDATE = new RegExp(`\\p{RI}+|${PART}(?:\\u200d${PART})*`, "gu");
/** 250 flags in a row. What is longer counts as its characters, and so never as less than X counts. */
const MAX_CANDIDATE = 1_000;
/** The weights of candidates. Without them, a text of emoji would take a tenth of a second in a process that has run for long: V8
 * no longer optimizes patterns after it has compiled many (`RegExpImpl::TooMuchRegExpCode`). */
const weights = new Map<string, number>();
const MAX_WEIGHTS = 5_000;

/** An address with a scheme whose top-level domain is newer than the library: X may treat it as a link. */
const UNKNOWN_LINK = /(?<![A-Za-z0-9@＠$#＃])https?:\/\/(?:[\p{L}\p{N}_-]{1,63}\.){1,126}\p{L}{2,63}\S*/giu;

/**
 * Returns X's weighted length of a text (docs.x.com/fundamentals/counting-characters): the text is normalized to NFC, a link
 * has weight 23, an emoji sequence 2, and any other code point 1 or 2. An address with a scheme and a domain ending that
 * `topLevelDomains` does not contain counts as 23 or its own length, whichever is larger, so that we never count less than X.
 * In a text of more than 5,000 UTF-16 units, links and emoji after that length count as their characters.
 */
export function weightedLength(text: string): number {
  const whole = normalized(text);
  const normal = whole.slice(0, endOfExact(whole));
  let weight = charactersWeight(whole.slice(normal.length));
  let end = 0;
  for (const link of findLinks(normal)) {
    weight += plainWeight(normal.slice(end, link.start)) + LINK_WEIGHT;
    end = link.end;
  }
  return weight + plainWeight(normal.slice(end));
}

function plainWeight(text: string): number {
  let weight = 0;
  for (const { 0: address } of text.matchAll(UNKNOWN_LINK)) {
    weight += Math.max(0, LINK_WEIGHT - lettersWeight(address));
  }
  return weight + lettersWeight(text);
}

function lettersWeight(text: string): number {
  return weightOf(text, CANDIDATE, candidateWeight);
}

/** Adds the weights of what matches, and of the other characters. */
function weightOf(text: string, pattern: RegExp, ofMatch: (match: string) => number): number {
  let weight = 0;
  const rest = text.replace(pattern, (match) => {
    weight += ofMatch(match);
    return "";
  });
  return weight + charactersWeight(rest);
}

function candidateWeight(candidate: string): number {
  const known = weights.get(candidate);
  if (known !== undefined) return known;
  if (candidate.length > MAX_CANDIDATE) return charactersWeight(candidate);
  const weight = weightOf(candidate, EMOJI, () => EMOJI_WEIGHT);
  if (weights.size === MAX_WEIGHTS) weights.clear();
  weights.set(candidate, weight);
  return weight;
}

/** Code points of weight 1; all others have weight 2. */
const LIGHT = /[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/gu;

function charactersWeight(text: string): number {
  return 2 * [...text].length - (text.match(LIGHT)?.length ?? 0);
}
