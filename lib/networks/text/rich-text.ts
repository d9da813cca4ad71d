import type { TextLimit } from "../limits";
import { graphemesOf } from "./count";
import { topLevelDomains } from "./top-level-domains";

/** A range of a text, in UTF-16 units. */
type Span = { start: number; end: number };
type LinkOrTag = Span & ({ link: string } | { tag: string });

const LINK = /(?<=^|\s|\()(?:https?:\/\/\S+|[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?::\d+)?(?:[/?#]\S*)?)/gimu;
const TAG = /(?<=^|\s)[#＃](?!\ufe0f)([^\s\u00AD\u2060\u200A-\u200D]+)/gmu;
const TAG_MAX = 64;
/** If the part after the host has more than LONG_PATH characters, it is cut to SHOWN_PATH characters. */
const LONG_PATH = 15;
const SHOWN_PATH = 13;

/** Returns a text as the network shows and counts it. */
export function shownText({ shortLinks }: Pick<TextLimit, "shortLinks">, text: string): string {
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
  const characters = graphemesOf(rest);
  if (characters.length <= LONG_PATH) return address;
  const host = authority.slice(authority.lastIndexOf("@") + 1); // without user name and password
  return `${host}${characters.slice(0, SHOWN_PATH).join("")}...`;
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
    const written = withoutEnd(match);
    const hasScheme = /^https?:/i.test(written);
    const link = hasScheme ? written : `https://${written}`;
    if (!URL.canParse(link) || (!hasScheme && !isDomain(new URL(link).hostname))) return [];
    return [{ start, end: start + written.length, link }];
  });
}

/** Removes punctuation at the end of a sentence and a closing bracket whose opening one is outside the address. */
function withoutEnd(match: string): string {
  let written = match;
  for (;;) {
    const isStray = /[.,;:!?'"]$/.test(written) || (/\)$/.test(written) && !written.includes("("));
    if (!isStray) return written;
    written = written.slice(0, -1);
  }
}

function isDomain(host: string): boolean {
  return topLevelDomains.has(host.split(".").at(-1)?.toLowerCase() ?? "");
}

function tags(text: string): LinkOrTag[] {
  return [...text.matchAll(TAG)].flatMap(({ 1: word = "", index: start }) => {
    const tag = word.replace(/\p{P}+$/u, "");
    const isTag = /[^\d\p{P}]/u.test(tag) && [...tag].length <= TAG_MAX;
    return isTag ? [{ start, end: start + 1 + tag.length, tag }] : [];
  });
}
