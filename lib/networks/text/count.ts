import type { TextUnit } from "../limits";
import { weightedLength } from "./weighted";

/** Returns the length of a text in a network's unit. Has no server dependencies: the composer uses it in the browser. */
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
/** V8 copies the whole input for each segment, which exhausts the memory for long texts, so texts are segmented in windows. */
const WINDOW = 256;

/** Splits a text into graphemes (user-perceived characters), window by window. */
export function graphemesOf(text: string): string[] {
  const graphemes: string[] = [];
  for (let [at, window] = [0, WINDOW]; at < text.length; ) {
    const end = endOfWindow(text, at + window);
    const found = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    if (end < text.length) found.pop(); // it may continue in the next window
    graphemes.push(...found);
    at += found.join("").length;
    window = found.length > 0 ? WINDOW : window * 2;
  }
  return graphemes;
}

/** Moves the end past the second half of a surrogate pair. */
function endOfWindow(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{fe0f}|\u{20e3}/u;

/** Threads counts an emoji as its UTF-8 bytes (developers.facebook.com/documentation/threads/overview), other text in code points. */
function lengthWithEmojiBytes(grapheme: string): number {
  return EMOJI.test(grapheme) ? new TextEncoder().encode(grapheme).length : [...grapheme].length;
}

/** Counts web addresses without trailing punctuation; duplicates count once. */
export function countLinks(text: string): number {
  const found = text.match(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"]+/giu) ?? [];
  return new Set(found.map((link) => link.replace(/[.,;:!?)\]}'’”]+$/u, ""))).size;
}

/** Counts `#tags`: letters, digits and underscores after a number sign that does not continue a word. */
export function countHashtags(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0;
}

/** Counts `@names`, except those in e-mail addresses. */
export function countMentions(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_.+-])[@＠][\p{L}\p{N}_][\p{L}\p{N}_.]*/gu)?.length ?? 0;
}

/** Counts `$TICKER` symbols of up to six letters, by twitter-text's rule (github.com/twitter/twitter-text). */
export function countCashtags(text: string): number {
  return text.match(/(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s\p{P}])/giu)?.length ?? 0;
}
