const GENERIC =
  "com net org info biz edu gov mil int name pro aero asia cat coop jobs mobi museum post tel travel xxx app dev page blog shop store online site " +
  "website tech cloud digital agency studio design media news press live tv world today life space fun club group team work works email link click " +
  "art music film photo photos photography video games game academy school education events party wedding restaurant cafe bar pizza food kitchen " +
  "health care clinic dental fitness yoga city london paris berlin wien tokyo nyc boston miami vegas amsterdam hamburg koeln swiss bayern tirol scot " +
  "wales irish eus gal bank finance money fund capital cash loans credit insurance tax legal law lawyer company business center consulting services " +
  "solutions systems software network host hosting domains support help guide tips wiki community social chat foundation charity church green eco bio " +
  "organic farm garden house homes estate properties rent land build builders tools supply parts auto car cars bike taxi tours vacations holiday hotel " +
  "flights cruises global international earth science energy solar engineering technology institute university google apple amazon microsoft youtube " +
  "xyz top vip icu win bid one ltd inc llc gmbh sarl plus best cool wow zone ninja rocks guru expert directory gallery market deals sale gifts fashion " +
  "style beauty hair jewelry shoes clothing toys kids baby family dog pet vet horse sport football golf run surf ski fyi ink red blue pink black gold " +
  "moe zip mov foo how new day ing meme dad phd prof esq nexus boo rsvp soy channel here are bot lol";

const COUNTRIES =
  "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv " +
  "cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il " +
  "im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv " +
  "mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so " +
  "sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";

/** Top-level domains that turn a bare name into a URL: all country codes and common generic ones (IANA root zone). */
const TLDS = new Set(`${GENERIC} ${COUNTRIES}`.split(" "));

export type FoundUrl = { url: string; start: number; end: number };

const CANDIDATE =
  /(?<![A-Za-z0-9@＠$#＃\u202a-\u202e_])(https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+[\p{L}]{2,}|(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+xn--[a-z0-9]+)(:\d+)?((?:\/[^\s]*)?(?:\?[^\s]*)?)/giu;

/** Finds the URLs of a text by X's rules, with or without a scheme. Source: twitter-text, configuration version 3. */
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

/** Removes trailing punctuation and unbalanced closing brackets, which belong to the sentence, not the URL. */
function withoutTrailingMarks(tail: string): string {
  const trimmed = tail.replace(/[.,;:!?'"…»”’\]}>*]+$/u, "");
  const isUnbalanced = trimmed.endsWith(")") && trimmed.split("(").length < trimmed.split(")").length;
  return isUnbalanced ? withoutTrailingMarks(trimmed.slice(0, -1)) : trimmed;
}

const EMOJI =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\u200D]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text in NFC, in time linear in its length: `normalize` sorts the marks of a letter in quadratic time, so long runs of them are cut. */
export const inNfc = (text: string) => text.replace(/\P{M}*\p{M}{0,30}/gu, (piece) => piece.normalize("NFC"));

/** Weighted length after NFC: 23 per URL, 2 per emoji sequence, 1 or 2 per code point. Source: docs.x.com, counting characters. */
export function weightedLength(text: string): number {
  const normal = inNfc(text);
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

/** Whether a text contains U+FFFE, U+FEFF or U+FFFF, which X rejects. */
export function hasForbiddenLetters(text: string): boolean {
  return /[\uFFFE\uFEFF\uFFFF]/.test(text);
}

/** The number of `$TICKER` tags, as X counts them. */
export function countCashtags(text: string): number {
  return [...text.matchAll(/(?<![\w$])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\w$])/gi)].length;
}
