import type { TextUnit } from "../limits";
import { weightedLength } from "./weighted";

/** How long a network says that a text is. Needs nothing of a server: the composer counts with it in the browser. */
export function textLength(unit: TextUnit, text: string): number {
  switch (unit) {
    case "code points":
      return [...text].length;
    case "UTF-16 units":
      return text.length;
    case "graphemes":
      return graphemesOf(text).length;
    case "bytes":
      return new TextEncoder().encode(text).length;
    case "weighted characters":
      return weightedLength(text);
    case "characters and emoji bytes":
      return graphemesOf(text).reduce((sum, grapheme) => sum + lengthWithEmojiBytes(grapheme), 0);
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** V8 copies the whole text that it segments for each segment, which no machine has the memory for where a text is long. */
const WINDOW = 256;

/** What reads as one character each. Segments the text piece by piece: where a grapheme begins, nothing before it matters. */
export function graphemesOf(text: string): string[] {
  const graphemes: string[] = [];
  for (let [at, window] = [0, WINDOW]; at < text.length; ) {
    const end = endOfWindow(text, at + window);
    const found = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    if (end < text.length) found.pop(); // it may go on behind the window
    graphemes.push(...found);
    at += found.join("").length;
    window = found.length > 0 ? WINDOW : window * 2;
  }
  return graphemes;
}

/** Not between the two halves of a surrogate pair. */
function endOfWindow(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{fe0f}|\u{20e3}/u;

/** Threads counts an emoji as its UTF-8 bytes (developers.facebook.com/documentation/threads/overview), all else by code points. */
function lengthWithEmojiBytes(grapheme: string): number {
  return EMOJI.test(grapheme) ? new TextEncoder().encode(grapheme).length : [...grapheme].length;
}

/** Web addresses, each different one once, without the punctuation that ends a sentence. */
export function countLinks(text: string): number {
  const found = text.match(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"]+/giu) ?? [];
  return new Set(found.map((link) => link.replace(/[.,;:!?)\]}'’”]+$/u, ""))).size;
}

/** `#tags`: letters, digits and underscores behind a number sign that doesn't continue a word. */
export function countHashtags(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0;
}

/** `@names`, the ones in e-mail addresses not among them. */
export function countMentions(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_.+-])[@＠][\p{L}\p{N}_][\p{L}\p{N}_.]*/gu)?.length ?? 0;
}

/** `$TICKER`: up to six letters, as twitter-text (github.com/twitter/twitter-text) takes them. */
export function countCashtags(text: string): number {
  return text.match(/(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s\p{P}])/giu)?.length ?? 0;
}
