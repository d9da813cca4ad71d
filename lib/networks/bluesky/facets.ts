import { linksAndTags, shortLink, withoutOverlap } from "../text/rich-text";
import { isHandle } from "./identity";

/** A range of a text in bytes of UTF-8; the end is exclusive. */
type Slice = { byteStart: number; byteEnd: number };
export type Feature =
  | { $type: "app.bsky.richtext.facet#link"; uri: string }
  | { $type: "app.bsky.richtext.facet#mention"; did: string }
  | { $type: "app.bsky.richtext.facet#tag"; tag: string };
export type Facet = { index: Slice; features: [Feature] };

/** A link, mention or hashtag in the text, before mentions are resolved. */
export type TextEntity = Slice & ({ link: string } | { handle: string } | { tag: string });

const MENTION = /(?<=^|\s|\()@([a-z0-9][a-z0-9.-]*[a-z0-9])/gimu;

/**
 * Returns the text as shown, with long links shortened, and the links, mentions and hashtags in it. They are entities in the
 * original text, so a shortened link still leads to the full address.
 */
export function richText(written: string): { text: string; entities: TextEntity[] } {
  let [text, end, byteEnd] = ["", 0, 0];
  const entities = withoutOverlap([...linksAndTags(written), ...mentions(written)]).map(
    ({ start, end: next, ...is }) => {
      const between = written.slice(end, start);
      const here = written.slice(start, next);
      const shown = "link" in is ? shortLink(here) : here;
      text += between + shown;
      const byteStart = byteEnd + Buffer.byteLength(between);
      byteEnd = byteStart + Buffer.byteLength(shown);
      end = next;
      return { ...is, byteStart, byteEnd };
    },
  );
  return { text: text + written.slice(end), entities };
}

/** Returns the facets of a text; a mention of an unknown handle stays plain text. */
export function facetsOf(entities: TextEntity[], dids: { [handle: string]: string | null }): Facet[] {
  return entities.flatMap((one) => {
    const feature = featureOf(one, dids);
    return feature ? [{ index: { byteStart: one.byteStart, byteEnd: one.byteEnd }, features: [feature] }] : [];
  });
}

function featureOf(one: TextEntity, dids: { [handle: string]: string | null }): Feature | undefined {
  if ("link" in one) return { $type: "app.bsky.richtext.facet#link", uri: one.link };
  if ("tag" in one) return { $type: "app.bsky.richtext.facet#tag", tag: one.tag };
  const did = dids[one.handle];
  return did ? { $type: "app.bsky.richtext.facet#mention", did } : undefined;
}

function mentions(text: string) {
  return [...text.matchAll(MENTION)].flatMap(({ 0: match, 1: name = "", index: start }) =>
    isHandle(name) ? [{ start, end: start + match.length, handle: name.toLowerCase() }] : [],
  );
}
