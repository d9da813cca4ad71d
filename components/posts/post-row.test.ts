import { expect, test } from "vitest";
import { textStart } from "./post-row";

test.each([
  ["a short text", "The bells ring", "The bells ring"],
  ["only the first line", "The bells\nring at noon", "The bells"],
  ["whole words and an ellipsis", "The bells of St Mary ring", "The bells of St…"],
  ["a part of a word that is longer than the limit", "Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahr…"],
])("the start of a text is %s", (_, text, start) => {
  expect(textStart(text, 20)).toBe(start);
});
