/** Control characters, line and paragraph separators, and what turns the direction of text around. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text as one line: what could begin another header, or make a line read as what it is not, becomes a space. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(BREAKS, " ").replace(/\s+/g, " ").trim();
}

/** The beginning of a text as one line, cut between characters as people count them. */
export function excerpt(text: string, most: number): string {
  const line = oneLine(text);
  const characters = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line);
  const kept: string[] = [];
  for (const { segment } of characters) {
    if (kept.length === most) return `${kept.slice(0, -1).join("").trimEnd()}…`;
    kept.push(segment);
  }
  return line;
}
