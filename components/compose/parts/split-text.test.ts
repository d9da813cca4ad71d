import fc from "fast-check";
import { expect, test } from "vitest";
import { textLength } from "@/lib/networks/text/count";
import { splitText } from "./split-text";

const upTo = (max: number) => (text: string) => textLength("graphemes", text) <= max;

test("every piece fits, only spaces are lost, and no character is split", () => {
  const word = fc.constantFrom(
    "bell",
    "the ",
    " ",
    "\n\n",
    ". ",
    "👩‍👩‍👧‍👦",
    "é",
    "https://example.com/tower ",
    "x".repeat(70),
    "鐘",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 5, max: 60 }), (words, max) => {
      const text = words.join("");
      const pieces = splitText(text, upTo(max));
      expect(pieces.every(upTo(max))).toBe(true);
      expect(pieces.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      expect(pieces.every((piece) => piece !== "" && piece === piece.trim())).toBe(true);
    }),
  );
});

test.each<[why: string, text: string, max: number, pieces: string[]]>([
  ["a text that fits stays whole", "The bells ring.", 20, ["The bells ring."]],
  ["an empty text into no pieces", " \n ", 20, []],
  [
    "between paragraphs",
    "One tower stands.\n\nTwo bells hang in it.",
    30,
    ["One tower stands.", "Two bells hang in it."],
  ],
  ["between sentences", "One tower stands. Two bells hang in it.", 30, ["One tower stands.", "Two bells hang in it."]],
  ["between words where a sentence is too long", "one two three four five", 13, ["one two three", "four five"]],
  ["within a word that is too long", "abcdefgh", 3, ["abc", "def", "gh"]],
  [
    "not at a break that would leave most of the room empty",
    "Oh. the bells of this tower ring",
    20,
    ["Oh. the bells of", "this tower ring"],
  ],
])("%s", (_, text, max, pieces) => {
  expect(splitText(text, upTo(max))).toEqual(pieces);
});
