import { describe, expect, test } from "vitest";

/** A plain script without types (docs/adr/0059-tag-editor.md). */
const { placeAfter, tagsOf } = await import(String(new URL("../../../public/tag-editor.js", import.meta.url)));

describe("the arrow keys move a tag in the picture", () => {
  test.each([
    ["ArrowLeft", false, { x: 49, y: 20 }],
    ["ArrowRight", true, { x: 60, y: 20 }],
    ["ArrowUp", false, { x: 50, y: 19 }],
    ["ArrowDown", true, { x: 50, y: 30 }],
    ["Enter", false, undefined],
  ])("%s, with Shift: %s", (key, isFar, after) => {
    expect(placeAfter({ x: 50, y: 20 }, key, isFar)).toEqual(after);
  });

  test("up to its edges", () => {
    expect(placeAfter({ x: 3, y: 0 }, "ArrowLeft", true)).toEqual({ x: 0, y: 0 });
    expect(placeAfter({ x: 100, y: 95 }, "ArrowDown", true)).toEqual({ x: 100, y: 100 });
  });
});

test("names that were kept without a place are tagged in the first file", () => {
  const placed = { username: "anna", x: 0.5, y: 0.5, path: "b.jpg" };
  const files = [{ path: "a.jpg" }, { path: "b.jpg" }];
  expect(tagsOf(" ben\n\ncarol", files)).toEqual([
    { username: "ben", path: "a.jpg" },
    { username: "carol", path: "a.jpg" },
  ]);
  expect(tagsOf([placed], files)).toEqual([placed]);
  expect(tagsOf("", files)).toEqual([]);
});
