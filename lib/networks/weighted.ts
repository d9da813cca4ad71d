import { topLevelDomains } from "./tlds";

const URL_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
const MAX_URL_LENGTH = 4096;

/** Code points of weight 1; every other one weighs 2. */
const LIGHT: [first: number, last: number][] = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

/** An emoji sequence as Unicode builds them (UTS #51, definition ED-15a): flags, skin tones, keycaps, families. */
const ELEMENT = "\\p{Emoji}(?:\\p{Emoji_Modifier}|\\uFE0F?\\u20E3|\\uFE0F|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?";
const EMOJI = new RegExp(`\\p{RI}\\p{RI}|${ELEMENT}(?:\\u200D(?:\\p{RI}\\p{RI}|${ELEMENT}))*`, "gu");

const PATH_END = "[\\p{L}\\p{N}\\p{M}=_#/+\\-]";
const PATH_CHARACTER = "[\\p{L}\\p{N}\\p{M}!*';:=+,.$/%#\\[\\]\\u2013_~@|&()?\\-]";
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}_-]*[\\p{L}\\p{N}\\p{M}])?";
const ASCII_LABEL = "[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?";
const TAIL = `(?::\\d+)?(?:[/?](?:${PATH_CHARACTER}*${PATH_END})?)?`;

const LINK = new RegExp(
  `(?<![\\p{L}\\p{N}@＠$#＃_])(https?://)((?:${LABEL}\\.)+${LABEL})${TAIL}` +
    `|(?<![\\p{L}\\p{N}@＠$#＃_./-])((?:${ASCII_LABEL}\\.)+[a-z]{2,})(?![a-z0-9@+-])${TAIL}`,
  "giu",
);

/**
 * X's weighted length (docs.x.com/fundamentals/counting-characters): NFC, a link weighs 23 whatever its length, an emoji
 * sequence 2, any other code point 1 or 2. An address with a scheme and an ending that `topLevelDomains` doesn't know
 * weighs 23 or its own length, whichever is more, so that a text is never shorter here than at X.
 */
export function weightedLength(text: string): number {
  const normal = text.normalize("NFC");
  let weight = 0;
  let end = 0;
  for (const link of normal.matchAll(LINK)) {
    weight += plainWeight(normal.slice(end, link.index)) + linkWeight(link);
    end = link.index + link[0].length;
  }
  return weight + plainWeight(normal.slice(end));
}

function linkWeight([link, scheme, withScheme, bare]: RegExpMatchArray): number {
  const ending = (withScheme ?? bare ?? "").split(".").at(-1)?.toLowerCase() ?? "";
  const known = topLevelDomains.has(ending) || ending.startsWith("xn--");
  if (link.length > MAX_URL_LENGTH) return plainWeight(link);
  if (known) return URL_WEIGHT;
  return scheme && /^\p{L}{2,}$/u.test(ending) ? Math.max(URL_WEIGHT, plainWeight(link)) : plainWeight(link);
}

function plainWeight(text: string): number {
  let weight = 0;
  const rest = text.replace(EMOJI, (sequence) => {
    // Digits, # and ©, among others, are \p{Emoji} as well: alone and without a variation selector they are plain text.
    if ([...sequence].length === 1 && !/\p{Emoji_Presentation}/u.test(sequence)) return sequence;
    weight += EMOJI_WEIGHT;
    return "";
  });
  for (const character of rest) {
    const point = character.codePointAt(0) ?? 0;
    weight += LIGHT.some(([first, last]) => point >= first && point <= last) ? 1 : 2;
  }
  return weight;
}
