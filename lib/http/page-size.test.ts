import { expect, test } from "vitest";
import { shortenPage } from "./page-size";

const MB = 1_048_576;

test.each<[what: string, sizes: number[], kept: number]>([
  ["a page of short items is not shortened", Array(100).fill(1_000), 100],
  ["a page ends before the item that exceeds 8 MB", Array(100).fill(MB), 8],
  ["an item that is larger by itself is still shown", [9 * MB, 1], 1],
  ["an empty page stays empty", [], 0],
])("%s", (_, sizes, kept) => {
  expect(shortenPage(sizes, (size) => size)).toHaveLength(kept);
});
