/** Control characters, line and paragraph separators, and what turns the direction of text around. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text as one line: what could begin another header, or make a line read as what it is not, becomes a space. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(BREAKS, " ").replace(/\s+/g, " ").trim();
}

/** How much is given away so that a cut falls between words. */
const LONGEST_WORD = 15;

/** The beginning of a text as one line, cut between words, else between characters as people count them. */
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

/** Where to cut, so that there is room for the dots. */
function endOf(kept: string[]): number {
  const space = kept.lastIndexOf(" ");
  return kept.length - space <= LONGEST_WORD ? space : kept.length - 1;
}
