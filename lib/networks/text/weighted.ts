import { findLinks } from "./links";

const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;

/** Code points of weight 1; every other one weighs 2. */
const LIGHT: [first: number, last: number][] = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

/** What Unicode recommends to be shown as one emoji (UTS #51): families, flags, keycaps, skin tones. */
const RECOMMENDED = "\\p{RGI_Emoji}";
const EMOJI = new RegExp(RECOMMENDED, "gv");

/** An address with a scheme whose ending came after the library: X may know it, and then it is a link. */
const UNKNOWN_LINK = /(?<![A-Za-z0-9@＠$#＃])https?:\/\/(?:[\p{L}\p{N}_-]{1,63}\.){1,126}\p{L}{2,63}[^\s]*/giu;

/**
 * X's weighted length (docs.x.com/fundamentals/counting-characters): NFC, a link weighs 23 whatever its length, an emoji
 * sequence 2, any other code point 1 or 2. An address with a scheme and an ending that `topLevelDomains` doesn't know
 * weighs 23 or its own length, whichever is more, so that a text is never shorter here than at X.
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
