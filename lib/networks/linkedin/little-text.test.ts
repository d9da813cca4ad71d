import { expect, test } from "vitest";
import { visibleText } from "../../../sandbox/linkedin/posts";
import { littleText } from "./publish";

test.each([
  ["plain text", "Good morning, LinkedIn!", "Good morning, LinkedIn!"],
  ["every reserved character", "|{}@[]()<>#\\*_~", "\\|\\{\\}\\@\\[\\]\\(\\)\\<\\>\\#\\\\\\*\\_\\~"],
  ["a hashtag", "About #bells.", "About #bells."],
  ["a hashtag with an underscore", "#big_bells", "#big\\_bells"],
  ["a hashtag in another script", "#かね #café", "#かね #café"],
  ["a number, which is not a hashtag", "We are #1", "We are \\#1"],
  ["a sign within a word", "C# and a#b", "C\\# and a\\#b"],
  ["two signs", "##bells", "\\#\\#bells"],
  ["an address with a fragment", "https://example.com/a_b#c", "https://example.com/a\\_b\\#c"],
  ["an email address", "me@example.com", "me\\@example.com"],
  ["a mention", "By @[Acme (Bells)](urn:li:organization:123).", "By @[Acme \\(Bells\\)](urn:li:organization:123)."],
  ["an invalid mention", "@[Acme](https://example.com)", "\\@\\[Acme\\]\\(https://example.com\\)"],
  ["lines", "one\n\ntwo", "one\n\ntwo"],
])("%s", (_, text, written) => {
  expect(littleText(text)).toBe(written);
});

test.each(["(a) [b] {c} <d> | * _ ~ \\ @e #f C# #1 ##g", "\\(", "🔔 (bells) #かね_ x_#y", "@[A](b) {hashtag|x}"])(
  "shows exactly the original text: %s",
  (text) => {
    expect(visibleText(littleText(text))).toBe(text);
  },
);
