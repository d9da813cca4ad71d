import { expect, test } from "vitest";
import { foldOf } from "./rich-text";

const words = (count: number) => Array.from({ length: count }, () => "bell").join(" ");

test("Instagram folds a caption after 125 characters, between words", () => {
  const head = foldOf({ platform: "INSTAGRAM" }, words(60))?.head ?? "";
  expect(head.length).toBeLessThanOrEqual(125);
  expect(head).toMatch(/bell$/);
  expect(foldOf({ platform: "INSTAGRAM" }, words(25))).toBeUndefined();
});

test("lines count too; LinkedIn shows three", () => {
  expect(foldOf({ platform: "LINKEDIN" }, "one\ntwo\nthree")).toBeUndefined();
  expect(foldOf({ platform: "LINKEDIN" }, "one\ntwo\nthree\nfour")?.head).toBe("one\ntwo\nthree");
});

test("a word longer than the fold is cut", () => {
  expect(foldOf({ platform: "INSTAGRAM" }, "x".repeat(300))?.head).toHaveLength(125);
});

test("X shows all of it", () => {
  expect(foldOf({ platform: "X_TWITTER" }, words(60))).toBeUndefined();
});
