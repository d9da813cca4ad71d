import { foldText, searchWords } from "@/lib/schedules/search-text";

/**
 * How well texts answer what was typed: 0 where the first begins with it, 1 where each word begins a word of theirs, 2 where
 * each word stands in them; undefined where one does not.
 */
export function rankOf(query: string, ...texts: string[]): number | undefined {
  const words = searchWords(query);
  const [first = ""] = texts;
  const whole = foldText(texts.join(" "));
  if (!words.every((word) => whole.includes(word))) return undefined;
  if (foldText(first).startsWith(words.join(" "))) return 0;
  const starts = whole.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2;
}

/** Those things that answer, the best first; equals stay in their order. @param textsOf a thing's texts, its name first */
export function best<T>(things: readonly T[], query: string, textsOf: (thing: T) => string[]): T[] {
  return things
    .map((thing) => ({ thing, rank: rankOf(query, ...textsOf(thing)) }))
    .filter((one): one is { thing: T; rank: number } => one.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ thing }) => thing);
}

const BEFORE = 24;

/** A long text from a little before the first word that was typed, so that it is seen why it was found. */
export function excerptOf(text: string, query: string): string {
  const [word = ""] = query.trim().split(/\s+/);
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return at <= BEFORE * 2 ? text : `…${text.slice(at - BEFORE)}`;
}
