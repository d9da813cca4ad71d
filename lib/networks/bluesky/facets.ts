import { topLevelDomains } from "../tlds";
import { isHandle } from "./identity";

/** Where something stands in a text: bytes of UTF-8, the end not included. */
type Slice = { byteStart: number; byteEnd: number };
export type Feature =
  | { $type: "app.bsky.richtext.facet#link"; uri: string }
  | { $type: "app.bsky.richtext.facet#mention"; did: string }
  | { $type: "app.bsky.richtext.facet#tag"; tag: string };
export type Facet = { index: Slice; features: [Feature] };

/** What reads as more than text, before it is known who a mention is. */
export type Found = Slice & ({ link: string } | { handle: string } | { tag: string });

const LINK = /(?<=^|\s|\()(?:https?:\/\/\S+|[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?::\d+)?(?:[/?#]\S*)?)/gimu;
const MENTION = /(?<=^|\s|\()@([a-z0-9][a-z0-9.-]*[a-z0-9])/gimu;
const TAG = /(?<=^|\s)[#＃](?!\ufe0f)([^\s\u00AD\u2060\u200A-\u200D]+)/gmu;
const TAG_MAX = 64;

/**
 * Links, mentions and hashtags of a text, as Bluesky's own client finds them (github.com/bluesky-social/atproto,
 * packages/api/src/rich-text/util.ts): the server looks for none itself.
 */
export function findInText(text: string): Found[] {
  const found = [...links(text), ...mentions(text), ...tags(text)];
  return found.toSorted((a, b) => a.byteStart - b.byteStart).filter(startsAfterOthers);
}

/** The facets of a text; a mention of nobody stays plain text. */
export function facetsOf(found: Found[], dids: { [handle: string]: string | null }): Facet[] {
  return found.flatMap((one) => {
    const feature = featureOf(one, dids);
    return feature ? [{ index: { byteStart: one.byteStart, byteEnd: one.byteEnd }, features: [feature] }] : [];
  });
}

function featureOf(one: Found, dids: { [handle: string]: string | null }): Feature | undefined {
  if ("link" in one) return { $type: "app.bsky.richtext.facet#link", uri: one.link };
  if ("tag" in one) return { $type: "app.bsky.richtext.facet#tag", tag: one.tag };
  const did = dids[one.handle];
  return did ? { $type: "app.bsky.richtext.facet#mention", did } : undefined;
}

function links(text: string): Found[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: match, index }) => {
    const shown = withoutEnd(match);
    const hasScheme = /^https?:/i.test(shown);
    const link = hasScheme ? shown : `https://${shown}`;
    if (!URL.canParse(link) || (!hasScheme && !isDomain(new URL(link).hostname))) return [];
    return [{ ...slice(text, index, shown), link }];
  });
}

/** Punctuation that ends the sentence rather than the address, and a bracket that was opened before it. */
function withoutEnd(match: string): string {
  let shown = match;
  for (;;) {
    const isStray = /[.,;:!?'"]$/.test(shown) || (/\)$/.test(shown) && !shown.includes("("));
    if (!isStray) return shown;
    shown = shown.slice(0, -1);
  }
}

function isDomain(host: string): boolean {
  return topLevelDomains.has(host.split(".").at(-1)?.toLowerCase() ?? "");
}

function mentions(text: string): Found[] {
  return [...text.matchAll(MENTION)].flatMap(({ 0: match, 1: name = "", index }) =>
    isHandle(name) ? [{ ...slice(text, index, match), handle: name.toLowerCase() }] : [],
  );
}

function tags(text: string): Found[] {
  return [...text.matchAll(TAG)].flatMap(({ 1: word = "", index }) => {
    const tag = word.replace(/\p{P}+$/u, "");
    const isTag = /[^\d\p{P}]/u.test(tag) && [...tag].length <= TAG_MAX;
    return isTag ? [{ ...slice(text, index, text.slice(index, index + 1) + tag), tag }] : [];
  });
}

function slice(text: string, at: number, shown: string): Slice {
  const byteStart = Buffer.byteLength(text.slice(0, at));
  return { byteStart, byteEnd: byteStart + Buffer.byteLength(shown) };
}

/** Overlapping facets are no valid ones: the first that begins wins. */
function startsAfterOthers(one: Found, index: number, all: Found[]): boolean {
  return all.slice(0, index).every((other) => other.byteEnd <= one.byteStart);
}
