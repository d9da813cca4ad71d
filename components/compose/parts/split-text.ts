import { graphemesOf } from "@/lib/networks/text/count";

/** Where a thread is best broken: between paragraphs, else sentences or lines, else words. */
const BREAKS = [/\n\s*\n/g, /(?<=[.!?…]["')\]»”’]*)\s+|\n/g, /\s+/g];
/** A piece that ends at a better break is worth being shorter, up to so much of what would fit. */
const SHORTEST = 0.5;

/**
 * A text in pieces that fit one by one, in its order and with nothing but the spaces between them left out. A single
 * character that does not fit stands alone.
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

/** The furthest break before which all fits, looking no further than the first that is too far; 0 where there is none. */
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
