import type { Problem } from "../../errors";
import type { TextLimit } from "../../networks";
import { textLength } from "../../networks/text/count";
import { shownText } from "../../networks/text/rich-text";

/** One operation of a JSON Patch (RFC 6902) on the body that was checked. */
type Operation = { op: "add" | "replace"; path: string; value: unknown } | { op: "remove"; path: string };

/** A problem's change as a patch of the body that it was found in; undefined where only a person can mend it. */
export function patchOf({ path, change }: Problem): Operation[] | undefined {
  return change && [{ ...change, path: pointerOf(path) }];
}

/** `publications[0].posts[1].content` as a JSON Pointer (RFC 6901): `/publications/0/posts/1/content`. */
function pointerOf(path: string): string {
  return path.replace(/^(?=.)|\./g, "/").replace(/\[(\d+)\]/g, "/$1");
}

/**
 * The beginning of a text that a network still takes: whole words where that keeps at least half of what would fit, and
 * never a part of a link or of what reads as one character. Undefined where nothing is left.
 */
export function shortened(
  text: string,
  { max, unit, shortLinks }: Pick<TextLimit, "max" | "unit" | "shortLinks">,
): string | undefined {
  const fits = (end: number) => textLength(unit, shownText({ shortLinks }, text.slice(0, end))) <= max;
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  let end = characters.containing(longest(fits, max, text.length))?.index ?? text.length;
  // A link that is cut can weigh more than a whole one, so a shorter text is not always one that fits.
  while (end > 0 && !fits(end)) end = characters.containing(end - 1)?.index ?? 0;
  const words = Math.max(text.slice(0, end + 1).search(/\s\S*$/), 0);
  const cutsLink = text.slice(words, end + 1).includes("://");
  const kept = text.slice(0, cutsLink || words > end / 2 ? words : end).trimEnd();
  return kept && fits(kept.length) ? kept : undefined;
}

/** About the most UTF-16 units that fit; looks near `guess` first, because counting a long text takes its time. */
function longest(fits: (end: number) => boolean, guess: number, most: number): number {
  let [low, high] = [0, Math.min(Math.max(guess, 1), most)];
  while (high < most && fits(high)) [low, high] = [high, Math.min(high * 2, most)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
