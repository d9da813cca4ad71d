import { TLDS } from "./tlds";

export type FoundUrl = { url: string; start: number; end: number };

const CANDIDATE =
  /(?<![A-Za-z0-9@＠$#＃\u202a-\u202e_])(https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+[\p{L}]{2,}|(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+xn--[a-z0-9]+)(:\d+)?((?:\/[^\s]*)?(?:\?[^\s]*)?)/giu;

/** The URLs of a text by X's rules, with or without a scheme; source: twitter-text, configuration version 3. */
export function findUrls(text: string): FoundUrl[] {
  return [...text.matchAll(CANDIDATE)].flatMap((match) => {
    const [whole, scheme = "", domain = "", port = "", tail = ""] = match;
    const before = text.slice(0, match.index).at(-1) ?? "";
    const tld = domain.split(".").at(-1)?.toLowerCase() ?? "";
    if (!TLDS.has(tld) && !tld.startsWith("xn--")) return [];
    if (!scheme && (/[-./]/.test(before) || text[match.index + scheme.length + domain.length] === "@")) return [];
    if (whole.length > 4096 || (/^t\.co$/i.test(domain) && tail.length > 41)) return [];
    const url = scheme + domain + port + withoutTrailingMarks(tail);
    return [{ url, start: match.index, end: match.index + url.length }];
  });
}

/** Sentence marks and a closing bracket that nothing opened end the sentence, not the address. */
function withoutTrailingMarks(tail: string): string {
  const trimmed = tail.replace(/[.,;:!?'"…»”’\]}>*]+$/u, "");
  const isUnbalanced = trimmed.endsWith(")") && trimmed.split("(").length < trimmed.split(")").length;
  return isUnbalanced ? withoutTrailingMarks(trimmed.slice(0, -1)) : trimmed;
}

const EMOJI =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\u200D]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Weighted length after NFC: URLs 23, an emoji sequence 2, code points 1 or 2; source: docs.x.com, counting characters. */
export function weightedLength(text: string): number {
  const normal = text.normalize("NFC");
  const urls = findUrls(normal);
  let weight = urls.length * 23;
  let position = 0;
  for (const { start, end } of [...urls, { start: normal.length, end: normal.length }]) {
    weight += weightWithoutUrls(normal.slice(position, start));
    position = end;
  }
  return weight;
}

function weightWithoutUrls(text: string): number {
  let weight = 0;
  for (const { segment } of segmenter.segment(text)) {
    weight += EMOJI.test(segment) ? 2 : [...segment].reduce((sum, letter) => sum + letterWeight(letter), 0);
  }
  return weight;
}

function letterWeight(letter: string): number {
  const point = letter.codePointAt(0) ?? 0;
  const isLight =
    point <= 0x10ff ||
    (point >= 0x2000 && point <= 0x200d) ||
    (point >= 0x2010 && point <= 0x201f) ||
    (point >= 0x2032 && point <= 0x2037);
  return isLight ? 1 : 2;
}

/** U+FFFE, U+FEFF and U+FFFF make a text invalid. */
export function hasForbiddenLetters(text: string): boolean {
  return /[\uFFFE\uFEFF\uFFFF]/.test(text);
}

/** `$TICKER` tags, as X counts them. */
export function countCashtags(text: string): number {
  return [...text.matchAll(/(?<![\w$])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\w$])/gi)].length;
}
