import fc from "fast-check";
import twitterText from "twitter-text";
import { expect, test } from "vitest";
import { topLevelDomains } from "./top-level-domains";
import { weightedLength } from "./weighted";

/** X's own count: the library that it publishes (github.com/twitter/twitter-text). */
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
/** None newer than Emoji 11, where the library stops: it weighs a newer one by its parts. */
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

test("two thousand texts weigh what X's own library says", () => {
  const other = sample(textOf(letters, signs, emoji, words)).filter((text) => weightedLength(text) !== atX(text));
  expect(other).toEqual([]);
});

test("no text of two thousand with stray schemes weighs less, and only unknown addresses weigh more", () => {
  const texts = sample(textOf(letters, signs, emoji, words, schemes));
  expect(texts.filter((text) => weightedLength(text) < atX(text))).toEqual([]);
  const more = texts.filter((text) => weightedLength(text) > atX(text));
  expect(more.filter((text) => !/https?:\/\//.test(text))).toEqual([]);
  expect(more.length).toBeLessThan(texts.length / 20);
});

test("every ending that the library knows makes a link, with a scheme and without", () => {
  const endings = [...topLevelDomains];
  const addresses = endings.flatMap((ending) => [`https://a.${ending}`, `a.${ending}`, `a.${ending}s/b`]);
  expect(endings.length).toBeGreaterThan(1500);
  expect(addresses.filter((address) => weightedLength(address) < atX(address))).toEqual([]);
  expect(endings.filter((ending) => atX(`https://a.${ending}`) !== 23)).toEqual([]);
});

test.each([
  ["an address at its longest", `https://example.com/${"a".repeat(4076)}`],
  ["an address that is longer", `https://example.com/${"a".repeat(4077)}`],
  ["a short link at its longest", `https://t.co/${"a".repeat(40)}`],
  ["a short link that is longer", `https://t.co/${"a".repeat(41)}`],
  ["a name at its longest", `https://${"a".repeat(63)}.com`],
  ["a name that is longer", `http://b.${"a".repeat(64)}.com/c`],
])("%s", (_, text) => {
  expect(weightedLength(text)).toBe(atX(text));
});

test("an emoji that is newer than the library weighs 2, as X's rule says", () => {
  expect([weightedLength("🫶🏽"), atX("🫶🏽")]).toEqual([2, 4]);
});
