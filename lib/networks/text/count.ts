import type { Limits, TextUnit } from "../limits";
import { weightedLength } from "./weighted";

/** Returns the length of a text in a network's unit. Has no server dependencies: the composer uses it in the browser. */
export function textLength(unit: TextUnit, text: string): number {
  switch (unit) {
    case "code points":
      return lengthOf(text);
    case "UTF-16 units":
      return text.length;
    case "graphemes":
      return lengthOf(graphemesOf(text));
    case "bytes":
      return utf8Length(text);
    case "weighted characters":
      return weightedLength(text);
    case "characters and emoji bytes":
      return sumOf(graphemesOf(text), lengthWithEmojiBytes);
  }
}

function lengthOf(parts: Iterable<string>): number {
  return sumOf(parts, () => 1);
}

function sumOf(parts: Iterable<string>, value: (part: string) => number): number {
  let sum = 0;
  for (const part of parts) sum += value(part);
  return sum;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** V8 copies the whole input for each segment, which exhausts the memory for long texts, so texts are segmented in windows. */
const WINDOW = 64;

/**
 * A run of characters that never join a neighbour (Unicode Standard Annex #29): letters, digits, punctuation and symbols,
 * without marks, format characters, flags, skin tones, Hangul jamo and the letters that join the next one. The lookahead
 * leaves the last one to the segmenter if something may join it. A test compares the result with the segmenter.
 */
const JOINS =
  "[\\p{M}\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Grapheme_Extend}\\p{Regional_Indicator}\\p{Emoji_Modifier}\\u0e33\\u0eb3" +
  "\\u0d4e\\u1100-\\u11ff\\ua960-\\ua97f\\ud7b0-\\ud7ff\\uff9e\\uff9f\\u{10d00}-\\u{11fff}\\u{16d00}-\\u{16dff}]";
const SINGLE = new RegExp(`[^${JOINS}]+(?!${JOINS})`, "vy");

/** Yields the graphemes (user-perceived characters) of a text. */
export function* graphemesOf(text: string): Generator<string> {
  let window = WINDOW;
  for (let at = 0; at < text.length; ) {
    SINGLE.lastIndex = at;
    const [plain] = SINGLE.exec(text) ?? [];
    if (plain) {
      yield* plain;
      at += plain.length;
      continue;
    }
    const end = endOfWindow(text, at + window);
    const found = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    if (end < text.length) found.pop(); // it may continue in the next window
    yield* found;
    at += found.join("").length;
    window = found.length > 0 ? WINDOW : window * 2;
  }
}

/** Moves the end past the second half of a surrogate pair. */
function endOfWindow(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{fe0f}|\u{20e3}/u;

/** Threads counts an emoji as its UTF-8 bytes (developers.facebook.com/documentation/threads/overview), other text in code points. */
function lengthWithEmojiBytes(grapheme: string): number {
  return EMOJI.test(grapheme) ? utf8Length(grapheme) : lengthOf(grapheme);
}

const encoder = new TextEncoder();

function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns a text without the characters at its end for which `isEnd` is true. A pattern such as `[.,]+$` would take quadratic
 * time, because it is tried from each position.
 */
export function withoutEnd(text: string, isEnd: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0) {
    const isPair = /[\udc00-\udfff]/.test(text.charAt(end - 1)) && /[\ud800-\udbff]/.test(text.charAt(end - 2));
    const start = end - (isPair ? 2 : 1);
    if (!isEnd(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

const LINK_END = new Set(".,;:!?)]}'’”");

/** Returns a web address that was found in a text without the punctuation that follows it. */
export function withoutPunctuation(link: string): string {
  return withoutEnd(link, (character) => LINK_END.has(character));
}

/** Counts web addresses without trailing punctuation; duplicates count once. */
export function countLinks(text: string): number {
  const found = text.match(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"]+/giu) ?? [];
  return new Set(found.map(withoutPunctuation)).size;
}

/** Counts `#tags`: letters, digits and underscores after a number sign that does not continue a word. */
export function countHashtags(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0;
}

/** Counts `@names`, except those in email addresses. */
export function countMentions(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_.+-])[@＠][\p{L}\p{N}_][\p{L}\p{N}_.]*/gu)?.length ?? 0;
}

/** Counts `$TICKER` symbols of up to six letters, by twitter-text's rule (github.com/twitter/twitter-text). */
export function countCashtags(text: string): number {
  return text.match(/(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s\p{P}])/giu)?.length ?? 0;
}

/**
 * Returns the limits of a post with these settings.
 * @param textMax the longest text of the account, if it may post longer texts than usual (`Profile.textMax`)
 */
export function limitsFor(limits: Limits, settings: unknown, textMax: number | null | undefined): Limits {
  const { text } = limits;
  if (!text || (!textMax && !text.markupSetting)) return limits;
  const markup = Object.entries(settings ?? {}).find(([name]) => name === text.markupSetting)?.[1] === "HTML";
  return { ...limits, text: { ...text, ...(textMax ? { max: textMax } : {}), ...(markup ? { markup: "HTML" } : {}) } };
}
