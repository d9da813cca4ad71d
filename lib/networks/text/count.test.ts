import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLongRun } from "../../testing/breadth";
import { countCashtags, countHashtags, countMentions, graphemesOf, textLength } from "./count";

const weight = (text: string) => textLength("weighted characters", text);

describe("X's weighted characters", () => {
  test.each([
    ["café, composed", "caf\u00e9", 4],
    ["café, with a combining accent", "cafe\u0301", 4],
    ["a greeting with an emoji", "Hello, world! 👋", 16],
    ["an ellipsis", "…", 2],
    ["an en dash", "–", 1],
    ["a curly apostrophe", "’", 1],
    ["Japanese", "こんにちは", 10],
    ["Korean", "한국어", 6],
    ["a euro sign", "€", 2],
    ["a bullet", "•", 2],
    ["a trademark sign", "™", 2],
    ["a copyright sign", "©", 1],
    ["Russian", "Привет", 6],
    ["Arabic", "العربية", 7],
    ["Hindi", "हिन्दी", 6],
    ["a line break", "a\nb", 3],
    ["digits, # and *", "#1 * 2", 6],
    ["a family", "👨‍👩‍👧‍👦", 2],
    ["a skin tone", "🙋🏽", 2],
    ["a newer emoji with a skin tone", "🫶🏽", 2],
    ["a flag", "🇩🇪", 2],
    ["two flags", "🇩🇪🇫🇷", 4],
    ["Scotland's flag", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
    ["a keycap", "1️⃣", 2],
    ["a heart in colour", "❤️", 2],
    ["a bare domain within a sentence", "see example.com.", 28],
    ["a long address", "https://example.com/very/long/path?x=1", 23],
    ["a short address", "http://x.com", 23],
    ["an address in brackets", "(https://example.com/a)", 25],
    ["two addresses", "https://a.com https://b.com/c", 47],
    ["localhost", "http://localhost:3000", 21],
    ["an email address", "user@example.com", 16],
    ["an email address that begins like a domain", "me.co@example.com", 17],
    ["a file name", "notes.txt", 9],
    ["a version", "v1.2.3", 6],
    ["280 letters", "x".repeat(280), 280],
    ["281 letters", "x".repeat(281), 281],
    ["140 wide letters", "あ".repeat(140), 280],
    ["141 wide letters", "あ".repeat(141), 282],
  ])("%s", (_, text, expected) => {
    expect(weight(text)).toBe(expected);
  });

  test("counts a bare domain as a link only if its top-level domain is known", () => {
    expect([weight("carillon.example"), weight("carillon.io"), weight("Carillon.IO/docs")]).toEqual([16, 23, 23]);
  });

  test("never counts an address with an unknown top-level domain as less than a link", () => {
    expect(weight("https://a.example")).toBe(23);
    expect(weight("https://carillon.example/a/long/path")).toBe(36);
  });
});

describe("other units", () => {
  test.each([
    ["code points", "a👋🏽", 3],
    ["UTF-16 units", "a👋🏽", 5],
    ["graphemes", "a👋🏽", 2],
    ["bytes", "aé👋", 7],
  ] as const)("%s", (unit, text, expected) => {
    expect(textLength(unit, text)).toBe(expected);
  });
});

describe("graphemes counted in windows equal those of the whole text", () => {
  const whole = (text: string) =>
    Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);

  /** Ideographs, Hangul syllables and ancient scripts without marks, of which some are enough. */
  const isUniform = (point: number) =>
    (point >= 0x3400 && point < 0xa000) ||
    (point >= 0xac00 && point < 0xd7a0) ||
    (point >= 0x12000 && point < 0x16000) ||
    (point >= 0x17000 && point < 0x1b000);
  const lengthOfWhole = (text: string) => whole(text).length;

  test.each([
    ["nothing", ""],
    ["flags without a gap", `a${"🇩🇪".repeat(200)}🇫`],
    [
      "a family at every offset of a window",
      Array.from({ length: 270 }, (_, n) => `${"a".repeat(n)}👩‍👩‍👧‍👦`).join("\n"),
    ],
    ["one letter with a thousand accents", `a${"\u0301".repeat(1000)}b`],
    ["halves of pairs", "\ud83d".repeat(300) + "\ude00".repeat(300)],
  ])("%s", (_, text) => {
    expect([...graphemesOf(text)]).toEqual(whole(text));
  });

  test("for every code point, next to letters, marks, emoji and itself", () => {
    const wrong: string[] = [];
    // In `npm test` one in seven, because neighbours mostly have the same properties; a prime, so that no block is met at one offset only.
    const step = isLongRun ? 1 : 7;
    for (let point = 0; point <= 0x1ffff; point += isUniform(point) ? 997 : step) {
      const character = String.fromCodePoint(point);
      const text = `a${character}${character}b`;
      if (lengthOfWhole(text) !== textLength("graphemes", text)) wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test("for any text", () => {
    const pieces = fc.constantFrom(
      "a",
      "\r",
      "\n",
      "🏽",
      "👋",
      "\u200d",
      "🇩",
      "\u0301",
      "한",
      "ᄀ",
      "क्",
      "ष",
      "\ud83d",
      "❤\ufe0f",
    );
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 200, maxLength: 400 }), (some) => {
        expect([...graphemesOf(some.join(""))]).toEqual(whole(some.join("")));
      }),
    );
  });

  test("counts the longest text that the API accepts", () => {
    expect([...graphemesOf("a👋🏽".repeat(20_000))]).toHaveLength(40_000);
  });
});

describe("other counts", () => {
  test("hashtags", () => expect(countHashtags("#one #two_2 a#no &#39; ＃drei # http://x.com/#no")).toBe(3));
  test("mentions", () => expect(countMentions("@alice and @bob.c, not me@example.com @")).toBe(2));
  test("cashtags", () => expect(countCashtags("$AAPL and $brk.a. Not $5, a$B or $TOOLONGNAME")).toBe(2));
});
