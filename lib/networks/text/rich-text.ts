import { parseUrl } from "../../env/parse-url";
import type { TextLimit } from "../limits";
import { graphemesOf, withoutEnd } from "./count";
import { readMarkup } from "./markup";
import { topLevelDomains } from "./top-level-domains";

/** A range of a text, in UTF-16 units. */
type Span = { start: number; end: number };
type LinkOrTag = Span & ({ link: string } | { tag: string });

/** No host in use is as long as 300 characters, and `URL` takes time quadratic in its length. */
const LINK =
  /(?<=^|\s|\()(?:https?:\/\/(?![^\s/?#]{300})\S+|[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?::\d+)?(?:[/?#]\S*)?)/gimu;
const TAG = /(?<=^|\s)[#＃](?!\ufe0f)([^\s\u00AD\u2060\u200A-\u200D]+)/gmu;
const TAG_MAX = 64;
/** If the part after the host has more than LONG_PATH characters, it is cut to SHOWN_PATH characters. */
const LONG_PATH = 15;
const SHOWN_PATH = 13;

/** Returns a text as the network shows and counts it. */
export function shownText({ shortLinks, markup }: Pick<TextLimit, "shortLinks" | "markup">, text: string): string {
  if (markup) return readMarkup(text).text;
  if (!shortLinks || !text.includes("://")) return text;
  let [shown, end] = ["", 0];
  for (const one of linksAndTags(text)) {
    if (!("link" in one)) continue;
    shown += text.slice(end, one.start) + shortLink(text.slice(one.start, one.end));
    end = one.end;
  }
  return shown + text.slice(end);
}

/**
 * Returns the short form of a long address, its host and the start of its path, as Bluesky's own app shows it
 * (github.com/bluesky-social/social-app, src/lib/strings/url-helpers.ts, `toShortUrl`). Short addresses and addresses without
 * a scheme are returned unchanged.
 */
export function shortLink(address: string): string {
  const [, authority = "", rest = ""] = /^https?:\/\/([^/\\?#]*)(.*)$/iu.exec(address) ?? [];
  const shown: string[] = [];
  for (const character of graphemesOf(rest)) if (shown.push(character) > LONG_PATH) break;
  if (shown.length <= LONG_PATH) return address;
  const host = authority.slice(authority.lastIndexOf("@") + 1); // without user name and password
  return `${host}${shown.slice(0, SHOWN_PATH).join("")}...`;
}

/**
 * Finds the links and hashtags of a text, like Bluesky's own client (github.com/bluesky-social/atproto,
 * packages/api/src/rich-text/util.ts). The server does not detect them.
 */
export function linksAndTags(text: string): LinkOrTag[] {
  return withoutOverlap([...links(text), ...tags(text)]);
}

/** Sorts the ranges and drops those that start within another one. */
export function withoutOverlap<Marked extends Span>(marked: Marked[]): Marked[] {
  let end = 0;
  return marked
    .toSorted((a, b) => a.start - b.start)
    .filter((one) => {
      const isFree = one.start >= end;
      if (isFree) end = one.end;
      return isFree;
    });
}

function links(text: string): LinkOrTag[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: match, index: start }) => {
    const written = withoutStrayEnd(match);
    const hasScheme = /^https?:/i.test(written);
    const link = hasScheme ? written : `https://${written}`;
    if ((!hasScheme && !hasKnownDomain(written)) || !parseUrl(link)) return [];
    return [{ start, end: start + written.length, link }];
  });
}

const STRAY = new Set(".,;:!?'\"");

/** Removes punctuation at the end of a sentence and a closing bracket whose opening one is outside the address. */
function withoutStrayEnd(match: string): string {
  const isOpened = match.includes("(");
  return withoutEnd(match, (character) => STRAY.has(character) || (character === ")" && !isOpened));
}

/** Whether an address without a scheme ends its host with a known top-level domain. Parsing each as a URL would take longer. */
function hasKnownDomain(address: string): boolean {
  const [host = ""] = address.split(/[:/?#]/, 1);
  return topLevelDomains.has(host.slice(host.lastIndexOf(".") + 1).toLowerCase());
}

const PUNCTUATION = /^\p{P}$/u;

function tags(text: string): LinkOrTag[] {
  return [...text.matchAll(TAG)].flatMap(({ 1: word = "", index: start }) => {
    const tag = withoutEnd(word, (character) => PUNCTUATION.test(character));
    const isTag = /[^\d\p{P}]/u.test(tag) && [...tag].length <= TAG_MAX;
    return isTag ? [{ start, end: start + 1 + tag.length, tag }] : [];
  });
}
