/** Control characters, line and paragraph separators, and characters that change the text direction. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns the text as one line. Characters that could start another header or disguise the line become spaces. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(BREAKS, " ").replace(/\s+/g, " ").trim();
}

/** The longest word that is dropped to cut at a word boundary. */
const LONGEST_WORD = 15;

/** Returns the beginning of a text as one line, cut at a word boundary if one is near, otherwise between graphemes. */
export function excerpt(text: string, most: number): string {
  const line = oneLine(text);
  const characters = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line);
  const kept: string[] = [];
  for (const { segment } of characters) {
    if (kept.length === most) return `${kept.slice(0, endOf(kept)).join("").trimEnd()}…`;
    kept.push(segment);
  }
  return line;
}

/** Returns where to cut, leaving room for the ellipsis. */
function endOf(kept: string[]): number {
  const space = kept.lastIndexOf(" ");
  return kept.length - space <= LONGEST_WORD ? space : kept.length - 1;
}
