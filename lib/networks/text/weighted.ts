import { findLinks } from "./links";

const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;

/** Code points of weight 1; all others have weight 2. */
const LIGHT: [first: number, last: number][] = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

/** Sequences that Unicode recommends to show as one emoji (UTS #51): families, flags, keycaps, skin tones. */
const RECOMMENDED = "\\p{RGI_Emoji}";
const EMOJI = new RegExp(RECOMMENDED, "gv");

/** An address with a scheme whose top-level domain is newer than the library: X may treat it as a link. */
const UNKNOWN_LINK = /(?<![A-Za-z0-9@＠$#＃])https?:\/\/(?:[\p{L}\p{N}_-]{1,63}\.){1,126}\p{L}{2,63}[^\s]*/giu;

/**
 * Returns X's weighted length of a text (docs.x.com/fundamentals/counting-characters): the text is normalized to NFC, a link
 * has weight 23, an emoji sequence 2, and any other code point 1 or 2. An address with a scheme and a domain ending that
 * `topLevelDomains` does not contain counts as 23 or its own length, whichever is larger, so that we never count less than X.
 */
export function weightedLength(text: string): number {
  const normal = text.normalize("NFC");
  let weight = 0;
  let end = 0;
  for (const link of findLinks(normal)) {
    weight += plainWeight(normal.slice(end, link.start)) + LINK_WEIGHT;
    end = link.end;
  }
  return weight + plainWeight(normal.slice(end));
}

function plainWeight(text: string): number {
  let weight = 0;
  for (const { 0: address } of text.matchAll(UNKNOWN_LINK)) {
    weight += Math.max(0, LINK_WEIGHT - lettersWeight(address));
  }
  return weight + lettersWeight(text);
}

function lettersWeight(text: string): number {
  let weight = 0;
  const rest = text.replace(EMOJI, () => {
    weight += EMOJI_WEIGHT;
    return "";
  });
  for (const character of rest) weight += isLight(character.codePointAt(0) ?? 0) ? 1 : 2;
  return weight;
}

function isLight(point: number): boolean {
  return LIGHT.some(([first, last]) => point >= first && point <= last);
}
