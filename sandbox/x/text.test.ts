import { expect, test } from "vitest";
import { weightedLength } from "./text";

test.each([
  ["café", 4],
  ["cafe\u0301", 4],
  ["Hello, world! 👋", 16],
  ["こんにちは", 10],
  ["한국어", 6],
  ["Привет", 6],
  ["العربية", 7],
  ["हिन्दी", 6],
  ["…", 2],
  ["–", 1],
  ["’", 1],
  ["€", 2],
  ["•", 2],
  ["™", 2],
  ["a\nb", 3],
  ["👨‍👩‍👧‍👦", 2],
  ["🙋🏽", 2],
  ["🇩🇪", 2],
  ["1️⃣", 2],
  ["🫶🏽", 2],
  ["see example.com.", 28],
  ["https://example.com/very/long/path?x=1", 23],
  ["http://localhost:3000", 21],
  ["user@example.com", 16],
  ["(https://example.com/a)", 25],
  ["https://en.wikipedia.org/wiki/A_(b)", 23],
  ["file.unknownending", 18],
  ["x".repeat(280), 280],
  ["あ".repeat(141), 282],
])("%j weighs %i", (text, weight) => {
  expect(weightedLength(text)).toBe(weight);
});
