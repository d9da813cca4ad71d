import { describe, expect, test } from "vitest";
import { isNamed, tagOf } from "./entity-tag";

describe("a tag", () => {
  const body = { id: 1, settings: { type: "T", title: "a" }, posts: [{ content: "a" }, { content: "b" }] };

  test("is a quoted text, the same for the same", () => {
    expect(tagOf(body)).toMatch(/^"[\w-]{22}"$/);
    expect(tagOf(structuredClone(body))).toBe(tagOf(body));
  });

  test.each([
    ["a value", { ...body, id: 2 }],
    ["a field more", { ...body, status: "a" }],
    ["a field less", { id: 1, settings: body.settings }],
    ["the order of a list", { ...body, posts: body.posts.toReversed() }],
    ["a value far inside", { ...body, settings: { ...body.settings, title: "b" } }],
  ])("is another with another: %s", (_, other) => {
    expect(tagOf(other)).not.toBe(tagOf(body));
  });
});

test.each([
  ['"a"', true],
  ["*", true],
  [' "b" , "a"', true],
  ['"b","a,c"', false],
  ['"b"', false],
  ['W/"a"', false],
  ['W/"a", "a"', true],
  ["a", false],
  ["", false],
])('If-Match: %s names "a": %s', (ifMatch, named) => {
  expect(isNamed(ifMatch, '"a"')).toBe(named);
});
