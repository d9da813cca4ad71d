import { expect, test } from "vitest";
import { excerpt } from "./one-line";

test.each([
  { when: "it is short enough", text: "Ring the bells", is: "Ring the bells" },
  { when: "a word would be cut", text: "Ring the bells on Sunday", is: "Ring the bells on…" },
  { when: "there is no space to cut at", text: "https://hooks.example/a/b", is: "https://hooks.examp…" },
  { when: "the last space is far from its end", text: "a https://hooks.example/a", is: "a https://hooks.exa…" },
  { when: "a character has several code points", text: "👩‍👩‍👧".repeat(25), is: `${"👩‍👩‍👧".repeat(19)}…` },
  { when: "it has several lines", text: "Ring\nthe\u2028bells", is: "Ring the bells" },
])("the beginning of a text if $when", ({ text, is }) => {
  expect(excerpt(text, 20)).toBe(is);
});
