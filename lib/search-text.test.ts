import { expect, test } from "vitest";
import { foldText, MARKS, searchWords } from "./search-text";
import { normalized } from "./text";

test.each([
  ["Café", "cafe"],
  ["CAFE\u0301", "cafe"],
  ["Ünïcödé", "unicode"],
  ["ﬁne ＡＢＣ", "fine abc"],
  ["Ёлка", "елка"],
  ["שָׁלוֹם", "שלום"],
  ["की", "की"], // a vowel of Devanagari is not an accent
  ["❤️", "❤"],
])("%s is compared as %s", (text, as) => {
  expect(foldText(text)).toBe(as);
});

test("words are separated by any amount of white space", () => {
  expect(searchWords("  The\u00a0NOON\n bell ")).toEqual(["the", "noon", "bell"]);
  expect([searchWords(" "), searchWords("\u0301 ´")]).toEqual([[], []]);
});

/** A character next to letters, and between marks of the highest and the lowest class, which it lets pass or not. */
const around = (character: string) => `e${character}\u0301 e\u0345${character}\u0334 \u1100\u1161${character}`;

test("every character is normalized as by `normalize`", () => {
  const marks = new RegExp(`[${MARKS}]`, "g");
  const other: string[] = [];
  for (let point = 0; point < 0x20000; point++) {
    const text = around(String.fromCodePoint(point));
    const folded = text.normalize("NFKD").replace(marks, "").toLowerCase();
    if (normalized(text) !== text.normalize("NFC") || foldText(text) !== folded) other.push(text);
  }
  expect(other).toEqual([]);
});

test("thirty marks are sorted, and further ones only among themselves", () => {
  const [above, below] = ["\u0301", "\u0316"];
  const sorted = (count: number) => normalized(`q${above.repeat(count)}${below}e${above}`);
  expect(sorted(29)).toBe(`q${below}${above.repeat(29)}é`);
  expect(sorted(30)).toBe(`q${above.repeat(30)}${below}é`);
});
