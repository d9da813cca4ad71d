import fc from "fast-check";
import twitterText from "twitter-text";
import { expect, test } from "vitest";
import { isLongRun } from "../../testing/breadth";
import { topLevelDomains } from "./top-level-domains";
import { weightedLength } from "./weighted";

/** X's own count, from its published library (github.com/twitter/twitter-text), which needs about a millisecond for a text. */
const atX = (text: string) => twitterText.parseTweet(text).weightedLength;

const letters = "abcXYZ019 .,;:!?-_'\"()[]{}@#$&*/\\|~^%+=<>\n".split("");
const signs = [
  "é",
  "e\u0301",
  "ß",
  "ж",
  "ق",
  "हि",
  "あ",
  "漢",
  "한",
  "ﬁ",
  "Å",
  "가",
  "…",
  "–",
  "’",
  "€",
  "™",
  "\u200d",
  "\u2028",
  "\u00a0",
];
/** None newer than Emoji 11, which the library supports: it counts a newer one by its parts. */
const emoji = ["👋", "🙋🏽", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "❤️", "☎", "©", "®", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "#️⃣", "✌🏻", "‼️"];
const words = [
  "www.",
  "example",
  ".com",
  ".co.uk",
  ".org/",
  "/path",
  "?q=1",
  "#x",
  "t.co/abc",
  "user@mail.com",
  "@name",
  "#tag",
  "$TICK",
  "foo.plumbing",
  "пример.рф",
  " https://t.co/abc?x",
  " https://x.com/a_(b)",
  "\nhttp://a.museum:80/@me/",
];
const schemes = ["https://", "http://", "https://例え.jp/パス", "https://carillon.example/a"];

const textOf = (...parts: string[][]) =>
  fc
    .array(fc.oneof(...parts.map((part) => fc.constantFrom(...part))), { maxLength: 14 })
    .map((chosen) => chosen.join(""));
const sample = (text: fc.Arbitrary<string>) => fc.sample(text, { numRuns: 2000, seed: 280 });

test("two thousand random texts have the same weight as in X's own library", () => {
  const other = sample(textOf(letters, signs, emoji, words)).filter((text) => weightedLength(text) !== atX(text));
  expect(other).toEqual([]);
});

test("random texts with schemes never weigh less than at X, and more only with unknown domains", () => {
  const texts = sample(textOf(letters, signs, emoji, words, schemes));
  const counted = texts.map((text) => ({ text, here: weightedLength(text), there: atX(text) }));
  expect(counted.filter(({ here, there }) => here < there)).toEqual([]);
  const more = counted.filter(({ here, there }) => here > there);
  expect(more.filter(({ text }) => !/https?:\/\//.test(text))).toEqual([]);
  expect(more.length).toBeLessThan(texts.length / 20);
});

test("the top-level domains are exactly those of the library", () => {
  const { validGTLD, validCCTLD } = twitterText.regexen;
  const library = [validGTLD, validCCTLD].flatMap(({ source }) =>
    /^\(\?:\(\?:([^()]+)\)/.exec(source)?.[1]?.split("|"),
  );
  expect([...topLevelDomains].sort()).toEqual(library.sort());
});

test("every top-level domain of the library makes a link, with and without a scheme", () => {
  const endings = [...topLevelDomains];
  expect(endings.length).toBeGreaterThan(1500);
  const bare = endings.flatMap((ending) => [`a.${ending}`, `a.${ending}s/b`]);
  expect(bare.filter((address) => weightedLength(address) < atX(address))).toEqual([]);
  const counted = endings.map((ending) => `https://a.${ending}`).map((url) => [url, weightedLength(url), atX(url)]);
  expect(counted.filter(([, here, there]) => here !== 23 || there !== 23)).toEqual([]);
});

test.each([
  ["an address of maximum length", `https://example.com/${"a".repeat(4076)}`],
  ["an address that is too long", `https://example.com/${"a".repeat(4077)}`],
  ["a short link of maximum length", `https://t.co/${"a".repeat(40)}`],
  ["a short link that is too long", `https://t.co/${"a".repeat(41)}`],
  ["a domain label of maximum length", `https://${"a".repeat(63)}.com`],
  ["a domain label that is too long", `http://b.${"a".repeat(64)}.com/c`],
])("%s", (_, text) => {
  expect(weightedLength(text)).toBe(atX(text));
});

test("an emoji newer than the library has weight 2, as X's rule says", () => {
  expect([weightedLength("🫶🏽"), atX("🫶🏽")]).toEqual([2, 4]);
});

/** Parts of emoji: whole ones, those of the same sequence, and what joins them. */
const PARTS = [
  ..."😀👩👨👧❤☝🏴🏳🌈⚕©1#a ",
  ..."🇩🇪🇦🇺🏽🏿",
  ...["\ufe0f", "\u20e3", "\u200d", "\u{e0067}", "\u{e007f}", "👩‍👩‍👧‍👦", "👍🏽", "❤️‍🔥", "1️⃣", "\u0301"],
];

test("emoji count as in one comparison with every sequence that Unicode recommends", () => {
  const recommended = "\\p{RGI_Emoji}";
  const emoji = new RegExp(recommended, "gv");
  const heavy = /[^\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/gu;
  const countedAtOnce = (text: string) => {
    let found = 0; // one pass, because this comparison takes most of the test's time
    const rest = text.replace(emoji, () => {
      found += 1;
      return "";
    });
    return 2 * found + [...rest].length + (rest.match(heavy)?.length ?? 0);
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }), (parts) => {
      const text = parts.join("").normalize("NFC");
      expect(weightedLength(text)).toBe(countedAtOnce(text));
    }),
    { numRuns: isLongRun ? 2_000 : 200 },
  );
  const flags = "🇩🇪🇦🇦🇺".repeat(40);
  expect(weightedLength(flags)).toBe(countedAtOnce(flags));
  expect(weightedLength("👩‍👩‍👧‍👦".repeat(50))).toBe(100);
});
