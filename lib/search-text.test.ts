import { expect, test } from "vitest";
import { foldText, searchWords } from "./search-text";

test.each([
  ["Café", "cafe"],
  ["CAFE\u0301", "cafe"],
  ["Ünïcödé", "unicode"],
  ["ﬁne ＡＢＣ", "fine abc"],
  ["Ёлка", "елка"],
  ["שָׁלוֹם", "שלום"],
  ["की", "की"], // a vowel of Devanagari is no accent
  ["❤️", "❤"],
])("%s is compared as %s", (text, as) => {
  expect(foldText(text)).toBe(as);
});

test("words are separated by any amount of white space", () => {
  expect(searchWords("  The\u00a0NOON\n bell ")).toEqual(["the", "noon", "bell"]);
  expect([searchWords(" "), searchWords("\u0301 ´")]).toEqual([[], []]);
});
