import type { TextLimit } from "../limits";
import { graphemesOf } from "./count";
import { topLevelDomains } from "./top-level-domains";

/** Where something stands in a text, in UTF-16 units. */
type Span = { start: number; end: number };
type LinkOrTag = Span & ({ link: string } | { tag: string });

const LINK = /(?<=^|\s|\()(?:https?:\/\/\S+|[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?::\d+)?(?:[/?#]\S*)?)/gimu;
const TAG = /(?<=^|\s)[#＃](?!\ufe0f)([^\s\u00AD\u2060\u200A-\u200D]+)/gmu;
const TAG_MAX = 64;
/** Of more characters than these behind its host an address is cut to the second many. */
const LONG_PATH = 15;
const SHOWN_PATH = 13;

/** A text as a network shows and counts it, where that differs from what was written. */
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
 * What stands for a long address: its host and the beginning of what follows, as Bluesky's own app cuts it
 * (github.com/bluesky-social/social-app, src/lib/strings/url-helpers.ts, `toShortUrl`). A short one, and one without a
 * scheme, stays as it was written.
 */
export function shortLink(address: string): string {
  const [, authority = "", rest = ""] = /^https?:\/\/([^/\\?#]*)(.*)$/iu.exec(address) ?? [];
  const characters = graphemesOf(rest);
  if (characters.length <= LONG_PATH) return address;
  const host = authority.slice(authority.lastIndexOf("@") + 1); // a name and password may stand before it
  return `${host}${characters.slice(0, SHOWN_PATH).join("")}...`;
}

/**
 * Links and hashtags of a text, as Bluesky's own client finds them (github.com/bluesky-social/atproto,
 * packages/api/src/rich-text/util.ts): the server looks for none itself.
 */
export function linksAndTags(text: string): LinkOrTag[] {
  return withoutOverlap([...links(text), ...tags(text)]);
}

/** In their order; what begins within another is none. */
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

/** Punctuation that ends the sentence rather than the address, and a bracket that was opened before it. */
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
