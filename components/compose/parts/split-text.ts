import { graphemesOf } from "@/lib/networks/text/count";

/** Preferred breaks of a thread: paragraphs, then sentences or lines, then words. */
const BREAKS = [/\n\s*\n/g, /(?<=[.!?…]["')\]»”’]{0,8})\s+|\n/g, /\s+/g];
/** A better break is preferred if the piece keeps at least this share of what would fit. */
const SHORTEST = 0.5;

/**
 * Splits a text into pieces that each fit, in order; only spaces between them are dropped. A single character that
 * does not fit becomes a separate piece.
 */
export function splitText(text: string, fits: (piece: string) => boolean): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const end = fits(rest) ? rest.length : endOfPiece(rest, fits);
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

function endOfPiece(text: string, fits: (piece: string) => boolean): number {
  const [paragraph = 0, sentence = 0, word = 0] = BREAKS.map((pattern) => lastBreak(text, pattern, fits));
  if (paragraph > word * SHORTEST) return paragraph;
  if (sentence > word * SHORTEST) return sentence;
  return word > 0 ? word : lastCharacter(text, fits);
}

/**
 * Returns the last break before which everything fits; 0 if there is none. Stops at the first break that is too far,
 * so the time is linear.
 */
function lastBreak(text: string, pattern: RegExp, fits: (piece: string) => boolean): number {
  let last = 0;
  for (const { index } of text.matchAll(pattern)) {
    if (!fits(text.slice(0, index))) break;
    last = index;
  }
  return last;
}

function lastCharacter(text: string, fits: (piece: string) => boolean): number {
  let end = 0;
  for (const character of graphemesOf(text.slice(0, 20_000))) {
    const next = end + character.length;
    if (end > 0 && !fits(text.slice(0, next))) break;
    end = next;
  }
  return end;
}
